import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { faultsAtWidths, visitAccount, visitOfficer } from "../account-visitor.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { exampleRequest, OfficerAnswers } from "../officer-answers.ts";
import { texts } from "../texts.ts";

/** The console of privacy officers: the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function visit(language: Language) {
  const visited = await visitOfficer(stack, language);
  const officer = new OfficerAnswers();
  const { page } = visited;
  await officer.takeOver(page.context());
  const button = (name: string) => page.locator("main").getByRole("button", { name, exact: true });
  return {
    ...visited,
    officer,
    button,
    press: (name: string) => button(name).press("Enter"),
    openRequest: async (digit: number) => {
      await page.goto(`/console/privacy/requests/${exampleRequest(digit, 0).requestId}`);
      await page.locator("#privacy-history").waitFor();
    },
  };
}

describe.each<Language>(["en"])("in %s", (language) => {
  const text = texts[language]["privacy-console"];

  test("a request is opened, taken and approved with the keyboard alone, in three presses", async () => {
    const { page, visitor, officer, press, button } = await visit(language);
    await page.goto("/console/privacy");
    await page.getByRole("table").waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.getByRole("table").getByRole("link").nth(1).press("Enter");
    await page.getByRole("row").filter({ hasText: "נועה לוי" }).waitFor();
    await page.locator("#privacy-preview ~ *").getByText("37").first().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await press(text.decide.claim);
    await press(text.decide.approve);
    await page.getByText(text.decide.nothing).waitFor();
    const held = { fullName: "Noa Levi", language: "en", phone: "" };
    expect(officer.decided).toEqual([
      ["claim", { version: 2 }],
      ["approve", { version: 3, held }],
    ]);
    expect(await button(text.decide.approve).count()).toBe(0);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("a correction is approved for some fields and denied for another, never for all or none", async () => {
    const { page, visitor, officer, press, openRequest } = await visit(language);
    await openRequest(2);
    await press(text.decide.claim);
    await press(text.decide.part);
    await page.getByRole("heading", { name: text.decide.partTitle }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await press(text.decide.partSubmit);
    await page.getByText(text.errors.denySome).first().waitFor();
    const { phone, fullName } = text.correction.fields;
    await page.getByLabel(phone).selectOption("claim-not-covered");
    await press(text.decide.partSubmit);
    await page.getByText(text.decide.nothing).waitFor();
    const held = { fullName: "Noa Levi", language: "en", phone: "" };
    const denied = [{ field: "phone", reason: "claim-not-covered" }];
    expect(officer.decided.at(-1)).toEqual(["approve", { version: 3, held, denied }]);
    const shown = `${phone}: ${text.decide.reasons["claim-not-covered"]}`;
    await page.getByText(shown, { exact: true }).waitFor();
    expect(await page.getByText(`${fullName}: `).count()).toBe(0);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("a routine request is done in four keys, which are listed and can be switched off", async () => {
    const { page, visitor, officer, press, button } = await visit(language);
    await page.goto("/console/privacy");
    await page.getByRole("table").waitFor();
    await page.getByText(text.clocks.due).first().waitFor();
    await page.getByText(text.clocks.erase).first().waitFor();
    const taken = text.takenBy.replace("{{name}}", "\u2068Noa Levi\u2069");
    await page.getByText(taken).filter({ hasText: "10" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await button(text.decide.claim).waitFor();
    await page.keyboard.press("t");
    await button(text.decide.approve).waitFor();
    await page.keyboard.press("a");
    await page.getByText(text.decide.nothing).waitFor();
    expect(officer.decided.map(([act]) => act)).toEqual(["claim", "approve"]);
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: text.shortcuts.title });
    await list.waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.getByRole("switch").press("Space");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page.keyboard.press("u");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(page.url()).toContain("/requests/");
    await press(text.shortcuts.title);
    await page.getByRole("switch").press("Space");
    await page.keyboard.press("Escape");
    // A Hebrew keyboard writes another character with the same key.
    await page.evaluate(() =>
      document.dispatchEvent(
        new KeyboardEvent("keydown", { key: "ו", code: "KeyU", bubbles: true }),
      ),
    );
    await page.getByRole("table").waitFor();
    // The page that has arrived takes the focus, which the search would lose.
    await page.locator("h1:focus").waitFor();
    await page.keyboard.press("/");
    await page.locator("[name=request]:focus").waitFor();
    await page.keyboard.type("jj");
    await expect.poll(() => page.locator("[name=request]").inputValue()).toBe("jj");
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const text = texts[language]["privacy-console"];

  test("what another officer changed meanwhile is shown, and the decision is made again", async () => {
    const { page, visitor, officer, press, openRequest } = await visit(language);
    await openRequest(1);
    await press(text.decide.claim);
    await press(text.decide.deny);
    await page.getByRole("combobox").selectOption("suspected-fraud");
    officer.instead.set("deny", { status: 409, code: "version_conflict" });
    await press(text.decide.denySubmit);
    await page.getByText(text.errors.changed).waitFor();
    expect(await page.getByRole("combobox").inputValue()).toBe("suspected-fraud");
    expect(await faultsAtWidths(page)).toEqual([]);
    await press(text.decide.denySubmit);
    const reason = text.decide.reasons["suspected-fraud"];
    await page.getByText(text.decide.proposedMine.replace("{{reason}}", reason)).waitFor();
    await press(text.decide.extend);
    await press(text.decide.extendSubmit);
    await page.getByText(text.request.extensions.gdpr).waitFor();
    expect(officer.decided.slice(1)).toEqual([
      ["deny", { version: 3, reason: "suspected-fraud" }],
      ["extend", { version: 4, law: "gdpr" }],
    ]);
    expect(visitor.noise.filter((line) => !line.includes("409"))).toEqual([]);
    await visitor.leave();
  });

  test("a deletion is held with its law and a review, and released", async () => {
    const { page, visitor, officer, press, button, openRequest } = await visit(language);
    await openRequest(5);
    await press(text.decide.hold);
    await press(text.decide.holdSubmit);
    await page.getByText(text.errors.lawRequired).last().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.locator("[name=law]").fill("Income Tax Ordinance, סעיף 130");
    await press(text.decide.holdSubmit);
    await page.getByText("Income Tax Ordinance, סעיף 130").first().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.locator("main").getByRole("button", { name: text.holds.release }).press("Enter");
    await page.locator(".privacy-review__holds").waitFor({ state: "detached" });
    expect(officer.decided.map(([act]) => act.split("/").at(-1))).toEqual(["hold", "release"]);
    await openRequest(4);
    await page.locator("[data-state=failed]").waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await press(text.decide.retry);
    await button(text.decide.retry).waitFor({ state: "detached" });
    await openRequest(3);
    expect(await button(text.decide.approve).count()).toBe(0);
    expect(await button(text.decide.claim).count()).toBe(0);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("a request by the form shows what its sender may ask by, and a check is recorded", async () => {
    const { page, visitor, officer, press, openRequest } = await visit(language);
    await openRequest(6);
    await page.getByText(text.form.relations.account).waitFor();
    await page.getByText("איבדתי את הטלפון, my phone is lost").waitFor();
    await page.getByText(text.form.uncheckedYet).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await press(text.decide.claim);
    await press(text.form.record);
    await page.locator("[name=check]").selectOption("identity-document");
    expect(await faultsAtWidths(page)).toEqual([]);
    await press(text.form.recordSubmit);
    await page.locator(".privacy-review__facts li").waitFor();
    expect(officer.decided.at(-1)).toEqual(["check", { version: 3, check: "identity-document" }]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("the queue shows a part of the requests, one by its number, none, and that it could not be read", async () => {
    const { page, visitor, officer, press } = await visit(language);
    await page.goto("/console/privacy");
    await page.getByRole("link", { name: text.filters.overdue }).press("Enter");
    await page.waitForURL("**?only=overdue");
    const rows = page.getByRole("table").locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole("link", { name: text.filters.mine }).press("Enter");
    await page.getByText(text.filtered.title).last().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.locator("main").getByRole("button", { name: text.clear }).press("Enter");
    await expect.poll(() => rows.count()).toBe(6);
    const { requestId } = exampleRequest(3, 0);
    await page.locator("[name=request]").fill(requestId.slice(0, 8).toUpperCase());
    await press(text.find);
    await expect.poll(() => rows.count()).toBe(1);
    officer.requests = [];
    await page.goto("/console/privacy");
    await page.getByText(text.empty.title).last().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    officer.instead.set("queue", { status: 503, code: "ledger_unavailable" });
    await page.reload();
    await page.getByText(text.empty.title).last().waitFor();
    expect(visitor.noise.filter((line) => !line.includes("503"))).toEqual([]);
    await visitor.leave();
  });
});

test("an account that is no officer finds neither page", async () => {
  const { page, visitor } = await visitAccount(stack, "/dashboard", { language: "en" });
  const refused = page.getByRole("heading", { level: 1, name: texts.en.account.notAllowed.title });
  for (const path of ["/console/privacy", "/console/privacy/requests/1"]) {
    await page.goto(path);
    await refused.waitFor();
    expect(await page.locator(".privacy-queue, .privacy-review").count()).toBe(0);
  }
  await visitor.leave();
});
