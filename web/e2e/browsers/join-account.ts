import { expect } from "vitest";

import { type Language } from "../fixtures.ts";
import { linkIn } from "../mail-box.ts";
import { texts } from "../texts.ts";
import type { Site, Visitor } from "./site.ts";

/** Runs in the page. */
async function register(body: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  return (await fetch("/api/account/registration", { method: "POST", headers, body })).status;
}

/** Opens an account by its mail, up to its dashboard. */
export async function joinAccount(
  site: Site,
  visitor: Visitor,
  { language, email, password }: { language: Language; email: string; password: string },
): Promise<void> {
  await visitor.goto("/join");
  expect(await visitor.evaluate(register, JSON.stringify({ email, language }))).toBe(202);
  const link = new URL(linkIn(await site.mail.waitFor(email), "/join"));
  // The link differs from the page that is open by its fragment alone.
  await visitor.open("/about");
  await visitor.goto(link.pathname + link.hash);
  await visitor.type("[name=fullName]", "נועה Noa");
  await visitor.type("[name=password]", password);
  await visitor.click("[name=terms]");
  await visitor.click("[name=privacy]");
  await visitor.click("main form [type=submit]", texts[language].entry.join.submit);
  await visitor.arrivedAt("/dashboard");
}
