import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";

import { codeOf } from "../authenticator-code.ts";
import { texts } from "../texts.ts";
import { joinAccount } from "./join-account.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

/** A code serves once: the next one is waited for when another browser has used it. */
async function signIn(officer: Visitor): Promise<void> {
  const { people, password } = inject("demo");
  const person = people.find(({ name }) => name === "officer");
  const secret = Buffer.from(person?.totpSecret ?? "", "hex");
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await officer.goto("/login");
    await officer.type("[name=email]", person?.email ?? "");
    await officer.type("[name=password]", password);
    await officer.press("Enter");
    const code = codeOf(secret);
    await officer.type("[name=code]", code);
    await officer.press("Enter");
    const path = await eventually(async () => {
      const shown = await officer.evaluate(() => location.pathname);
      expect(shown === "/dashboard" || (await officer.texts(".field__error")).length > 0).toBe(
        true,
      );
      return shown;
    });
    if (path === "/dashboard") return;
    await vi.waitFor(() => expect(codeOf(secret)).not.toBe(code), { timeout: 31_000 });
  }
  throw new Error("The officer could not sign in");
}

const reads = (visitor: Visitor, words: string) =>
  eventually(async () => expect((await visitor.texts("main")).join("")).toContain(words));

describe.each(["en", "he"] as const)("the console of privacy officers in %s", (language) => {
  const { privacy: own, "privacy-console": text } = texts[language];
  const email = `console-${language}-${inject("engine")}@example.com`;
  let site: Site;
  let officer: Visitor;
  beforeAll(async () => {
    site = await openSite({ language });
    const holder = await site.visit({ decided: true });
    await joinAccount(site, holder, { language, email, password: "seven grey herons at noon" });
    await holder.goto("/account/privacy");
    await holder.click("section[aria-labelledby=privacy-export] button", own.export.submit);
    await reads(holder, own.export.open);
    officer = await site.visit({ decided: true });
    await signIn(officer);
  });
  afterAll(() => site.close());

  test.each([
    [1280, 800],
    [360, 800],
  ])(
    "shows queue, calendar, figures, breaches and inactive accounts, %i pixels wide",
    async (width, height) => {
      await officer.resize(width, height);
      for (const page of ["", "/calendar", "/metrics", "/breaches", "/inactive", "/processing"]) {
        await officer.goto(`/console/privacy${page}`);
        await eventually(async () => expect(await officer.texts("main h1")).toHaveLength(1));
        const widest = () => document.documentElement.scrollWidth;
        expect([page, (await officer.evaluate(widest)) <= width]).toEqual([page, true]);
        await expectNoFaults(officer);
      }
    },
  );

  test("finds a request by the address of its holder, and decides it", async () => {
    await officer.resize(1280, 800);
    await officer.goto("/console/privacy");
    await officer.type("[name=request]", email);
    await officer.press("Enter");
    const found = "section[aria-labelledby=privacy-by-email]";
    await eventually(async () => expect(await officer.texts(`${found} tbody tr`)).toHaveLength(1));
    await officer.tabTo(`${found} tbody a`);
    await officer.press("Enter");
    await eventually(async () => expect(await officer.texts("#privacy-history")).toHaveLength(1));
    await officer.click("main button", text.decide.claim);
    await officer.click("main button", text.decide.approve);
    await reads(officer, text.decide.nothing);
    await expectNoFaults(officer);
  });
});
