import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { linkIn } from "../mail-box.ts";
import { texts } from "../texts.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

const password = "seven grey herons at noon";

/** Runs in the page. */
async function register(body: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  return (await fetch("/api/account/registration", { method: "POST", headers, body })).status;
}

describe.each(["en", "he"] as const)("an account in %s", (language) => {
  const { account, checkout, settings } = texts[language];
  const email = `account-${language}-${inject("engine")}@example.com`;
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  const signIn = async (visitor: Visitor): Promise<void> => {
    await visitor.type("[name=email]", email);
    await visitor.type("[name=password]", password);
    await visitor.press("Enter");
  };
  const leadsTo = (visitor: Visitor, path: string) =>
    eventually(async () => expect(await visitor.evaluate(() => location.pathname)).toContain(path));

  test("is joined by its mail, completed, entered anew, and buys a plan at the provider", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.goto("/join");
    expect(await visitor.evaluate(register, JSON.stringify({ email, language }))).toBe(202);
    const link = new URL(linkIn(await site.mail.waitFor(email), "/join"));
    await visitor.open("/about");
    await visitor.goto(link.pathname + link.hash);
    await visitor.type("[name=fullName]", "נועה Noa");
    await visitor.type("[name=password]", password);
    await visitor.click("[name=terms]");
    await visitor.click("[name=privacy]");
    await visitor.click("main form [type=submit]", account.join.submit);
    await visitor.arrivedAt("/dashboard");

    await visitor.goto("/account/profile");
    await visitor.type("[name=phone]", "03-1234567");
    await visitor.click("main form [type=submit]", settings.profile.save);
    await eventually(async () =>
      expect((await visitor.texts("body")).join("")).toContain(settings.profile.saved),
    );

    await visitor.evaluate(() => localStorage.removeItem("token"));
    await visitor.goto("/checkout?plan=essential&cycle=monthly");
    await visitor.arrivedAt("/login");
    await signIn(visitor);
    await visitor.arrivedAt("/checkout");
    for (const document of ["auto-renewal", "terms", "privacy"])
      await visitor.click(`#consent-${document}`);
    await visitor.click(".checkout__press button");
    await leadsTo(visitor, "/sandbox-payments/checkout/");
    await visitor.click("button[name=card][value=success]");
    await leadsTo(visitor, "/checkout/return");
    await eventually(async () =>
      expect(await visitor.texts("main h2")).toEqual([checkout.return.completed.title]),
    );
    await expectNoFaults(visitor);
  });
});
