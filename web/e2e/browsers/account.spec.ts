import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { texts } from "../texts.ts";
import { joinAccount } from "./join-account.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

const password = "seven grey herons at noon";

describe.each(["en", "he"] as const)("an account in %s", (language) => {
  const { checkout, settings } = texts[language];
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
    await joinAccount(site, visitor, { language, email, password });

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
