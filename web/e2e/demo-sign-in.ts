import type { Page } from "playwright-core";

import type { Demo } from "../../infra/embedded/demo-world.ts";
import { codeOf } from "./authenticator-code.ts";

/** Signs in as a person of the demo; staff give the code that their authenticator shows, which serves once. */
export async function signInAs(
  page: Page,
  { people, password }: Demo,
  name: Demo["people"][number]["name"],
): Promise<{ readonly email: string }> {
  const person = people.find((one) => one.name === name);
  if (person === undefined) throw new Error(`The demo has no ${name}`);
  await page.goto("/login");
  await page.locator("[name=email]").fill(person.email);
  await page.locator("[name=password]").fill(password);
  await page.locator("[name=password]").press("Enter");
  if (person.totpSecret !== null) {
    const code = page.locator("[name=code]");
    await code.fill(codeOf(Buffer.from(person.totpSecret, "hex")));
    await code.press("Enter");
  }
  await page.waitForURL("**/dashboard");
  return person;
}
