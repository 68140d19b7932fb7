import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { texts } from "../texts.ts";
import { joinAccount } from "./join-account.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

/** Runs in the editor: whether the page is there, and what is drawn on it has a size. */
const hasPage = (): boolean =>
  [...document.querySelectorAll<SVGPathElement>("svg.cv-pages > path")].some(
    (path) => path.getBoundingClientRect().width > 0,
  );

const written = {
  en: { name: "Dana Levi", role: "Head nurse", other: "Nurse", point: "Led eight nurses" },
  he: { name: "דנה לוי", role: "אחות ראשית", other: "אחות", point: "ניהלה צוות של שמונה" },
};

describe.each(["en", "he"] as const)("a CV in %s", (language) => {
  const { cv: t } = texts[language];
  const text = written[language];
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  const begin = async (): Promise<Visitor> => {
    const visitor = await site.visit({ decided: true });
    const email = `cv-${language}-${inject("engine")}@example.com`;
    await joinAccount(site, visitor, { language, email, password: "seven grey herons at noon" });
    await visitor.goto("/cv");
    await visitor.click("main button", t.create.action);
    await visitor.type("dialog [name=title]", text.role);
    await visitor.click("dialog [type=submit]", t.create.submit);
    await visitor.shows(".cv-section__title", t.profile.title);
    return visitor;
  };
  const chosen = async (visitor: Visitor, button: string, entry: string): Promise<void> => {
    await visitor.click("main button", button);
    await visitor.click("[role=menuitem]", entry);
  };
  const saved = (visitor: Visitor) =>
    eventually(async () =>
      expect(await visitor.texts(".cv-save[data-kind=saved]")).toHaveLength(1),
    );

  test("is written with points, ordered by its menu, given another template, and is all there after a reload", async () => {
    const visitor = await begin();
    await visitor.type("#cv-profile-fullName", text.name);
    await chosen(visitor, t.section.add, t.kinds.experience);
    await visitor.type(".cv-entry [id$=-role]", text.role);
    await visitor.click(".cv-entry button", t.fields.addBullet);
    await visitor.type(".cv-bullet [role=textbox]", text.point);
    await visitor.press("Enter");
    await eventually(async () => expect(await visitor.texts(".cv-bullet")).toHaveLength(2));
    await visitor.click("main button", t.entry.add.experience);
    await visitor.type(".cv-entry:last-child [id$=-role]", text.other);
    const menu = t.order.menuOf.replace("{{name}}", `\u2068${text.other}\u2069`);
    await chosen(visitor, menu, t.order.up);
    await visitor.shows(".cv-entry__toggle .cv-entry__title", text.other, text.role);
    await eventually(async () => expect(await visitor.evaluate(hasPage)).toBe(true));
    await visitor.click("[role=tab]", t.parts.look);
    await visitor.press(language === "he" ? "ArrowLeft" : "ArrowRight");
    await visitor.hasFocus("[role=tab][aria-selected=true]");
    await visitor.click("[role=tab]", t.parts.look);
    await visitor.click("#cv-template-editorial");
    await saved(visitor);
    await visitor.goto(await visitor.evaluate(() => location.pathname));
    await visitor.shows(".cv-entry__toggle .cv-entry__title", text.other, text.role);
    expect(
      await visitor.evaluate(
        () => document.querySelector<HTMLInputElement>("#cv-profile-fullName")?.value,
      ),
    ).toBe(text.name);
    await expectNoFaults(visitor);
  });
});
