import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { makeDemo } from "../../../infra/embedded/demo-world.ts";
import { productServices } from "../../../infra/embedded/services/product-services.ts";
import { codeOf } from "../authenticator-code.ts";
import { texts } from "../texts.ts";
import { joinAccount } from "./join-account.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

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
    await eventually(async () =>
      expect((await holder.texts("section[aria-labelledby=privacy-export]")).join("")).toContain(
        own.export.open,
      ),
    );
    const demo = await makeDemo(inject("product").dataDir, productServices);
    const person = demo.people.find(({ name }) => name === "officer");
    officer = await site.visit({ decided: true });
    await officer.goto("/login");
    await officer.type("[name=email]", person?.email ?? "");
    await officer.type("[name=password]", demo.password);
    await officer.press("Enter");
    await officer.type("[name=code]", codeOf(Buffer.from(person?.totpSecret ?? "", "hex")));
    await officer.press("Enter");
    await officer.arrivedAt("/dashboard");
  }, 180_000);
  afterAll(() => site.close());

  const reads = (words: string) =>
    eventually(async () => expect((await officer.texts("main")).join("")).toContain(words));

  test.each([
    [1280, 800],
    [360, 800],
  ])(
    "shows queue, calendar, figures, breaches and inactive accounts, %i pixels wide",
    async (width, height) => {
      await officer.resize(width, height);
      for (const page of ["", "/calendar", "/figures", "/breaches", "/inactive", "/processing"]) {
        await officer.goto(`/console/privacy${page}`);
        await eventually(async () => expect(await officer.texts("main h1")).toHaveLength(1));
        const widest = () => document.documentElement.scrollWidth;
        expect(await officer.evaluate(widest), page).toBeLessThanOrEqual(width);
        await expectNoFaults(officer);
      }
    },
  );

  test("finds a request by the address of its holder, and decides it with the keyboard alone", async () => {
    await officer.resize(1280, 800);
    await officer.goto("/console/privacy");
    await officer.type("[name=request]", email);
    await officer.press("Enter");
    await eventually(async () => expect(await officer.texts("main tbody tr")).toHaveLength(1));
    await officer.tabTo("main tbody a");
    await officer.press("Enter");
    await reads(email);
    await officer.tabTo("main .privacy-review__acts button");
    await reads(text.decide.claim);
    await officer.press("Enter");
    await reads(text.decide.approve);
    await officer.tabTo("main .privacy-review__acts button");
    await officer.press("Enter");
    await reads(text.decide.nothing);
    await expectNoFaults(officer);
  });
});
