import { privacyFormPages } from "@pro-talent/schemas/privacy/form";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { linkIn } from "../mail-box.ts";
import { texts } from "../texts.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

const sizes = { phone: 360, desktop: 1280 } as const;

describe.each(["en", "he"] as const)("the public form of privacy requests in %s", (language) => {
  const say = texts[language].privacyRequest;
  const { status } = say;
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  const isAsWide = (visitor: Visitor): Promise<boolean> =>
    visitor.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  /** What the page of the request says now. */
  const reads = (visitor: Visitor, words: string) =>
    eventually(async () => expect((await visitor.texts("main")).join("")).toContain(words));

  test.each(Object.entries(sizes))(
    "is sent and verified with the keyboard alone, on a %s",
    async (size, width) => {
      const address = `form-${size}-${language}-${inject("engine")}@example.com`;
      const visitor = await site.visit({ decided: true });
      await visitor.resize(width, 800);
      await visitor.open(privacyFormPages.ask);
      await visitor.shows("main h1", say.title);
      expect(await isAsWide(visitor)).toBe(true);
      await visitor.tabTo(".privacy-form [type=submit]");
      await visitor.press("Enter");
      await visitor.hasFocus(".error-summary");
      await visitor.press("Tab");
      await visitor.press("Enter");
      await visitor.hasFocus("#privacy-type-access");
      await visitor.press("Space");
      await visitor.press("ArrowDown");
      await visitor.hasFocus("#privacy-type-delete");
      await visitor.press("Tab");
      await visitor.press("Space");
      await visitor.hasFocus("#privacy-relation-mailbox");
      await visitor.press("ArrowDown");
      // Without an account the address is treated as a mailbox.
      await visitor.hasFocus("#privacy-relation-account");
      await visitor.shows(".privacy-form__account a", say.form.recover);
      await visitor.press("ArrowUp");
      await visitor.hides(".privacy-form__account a");
      await visitor.tabTo("#privacy-email");
      await visitor.type("#privacy-email", address);
      await visitor.press("Enter");
      await reads(visitor, say.sent.title);
      const mail = await site.mail.waitFor(address);
      const link = new URL(linkIn(mail, privacyFormPages.status));
      const [code = ""] = /\b\d{8}\b/u.exec(mail.text) ?? [];
      await visitor.goto(link.pathname + link.hash);
      await reads(visitor, status.state.code);
      expect(await isAsWide(visitor)).toBe(true);
      await visitor.tabTo("#request-code");
      await visitor.type("#request-code", code === "00000000" ? "00000001" : "00000000");
      await visitor.press("Enter");
      await reads(visitor, status.errors.codeWrong);
      await visitor.open("/about");
      await visitor.goto(link.pathname + link.hash);
      await reads(visitor, status.state.code);
      await visitor.tabTo("#request-code");
      await visitor.type("#request-code", code);
      await visitor.press("Enter");
      await reads(visitor, status.outcomes["nothing-held"]);
      expect(await isAsWide(visitor)).toBe(true);
      // The wrong code is the answer 422.
      await expectNoFaults(visitor, /422/u);
    },
  );

  test("a link that is cut off leads to no request, and to the form", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.goto(`${privacyFormPages.status}#cut-off`);
    await reads(visitor, status.unknown.title);
    await visitor.tabTo(`main a[href="${privacyFormPages.ask}"]`);
    await visitor.press("Enter");
    await visitor.arrivedAt(privacyFormPages.ask);
    await expectNoFaults(visitor, /404|422/u);
  });
});
