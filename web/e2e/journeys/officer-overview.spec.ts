import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { faultsAtWidths, faultsInAllLooks, visitOfficer } from "../account-visitor.ts";
import { ConsoleAnswers, exampleBreach } from "../console-answers.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { exampleRequest, OfficerAnswers } from "../officer-answers.ts";
import { texts } from "../texts.ts";

/** Calendar, figures and register of privacy officers: the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function visit(language: Language) {
  const visited = await visitOfficer(stack, language);
  const { page } = visited;
  const [requests, officer] = [new OfficerAnswers(), new ConsoleAnswers()];
  await requests.takeOver(page.context());
  await officer.takeOver(page.context());
  const button = (name: string) => page.locator("main").getByRole("button", { name });
  return {
    ...visited,
    officer,
    requests,
    button,
    press: (name: string) => button(name).press("Enter"),
  };
}

// Each in one language: the other direction and theme are looked at beside.
describe.each<Language>(["en"])("in %s", (language) => {
  const text = texts[language];

  test("the calendar shows what has passed, then the weeks; of one kind, of none, and of none at all", async () => {
    const { page, visitor, officer, press } = await visit(language);
    const say = text["privacy-calendar"];
    await page.goto("/console/privacy/calendar");
    await page.locator(".calendar__past").waitFor();
    expect(await page.locator(".calendar__entry").count()).toBe(7);
    expect(await page.locator(".calendar__day[aria-current=date]").count()).toBe(1);
    expect(await faultsInAllLooks(page)).toEqual([]);
    await page.getByRole("link", { name: say.kinds.erase }).press("Enter");
    await expect.poll(() => page.locator(".calendar__entry").count()).toBe(1);
    await page.getByRole("link", { name: say.kinds.package }).press("Enter");
    await page.getByText(say.filtered.title).last().waitFor();
    await press(say.clear);
    await expect.poll(() => page.locator(".calendar__entry").count()).toBe(7);
    await press(say.feed.make);
    await page.getByText("/api/privacy/calendar/").waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    await press(say.feed.revoke);
    await page.getByText(say.feed.none).waitFor();
    expect(await page.getByText("/api/privacy/calendar/").count()).toBe(0);
    officer.clocks = [];
    await page.reload();
    await page.getByText(say.empty.title).last().waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    officer.instead.set("calendar", { status: 503, code: "ledger_unavailable" });
    await page.reload();
    await page.getByText(say.empty.title).last().waitFor();
    expect(visitor.noise.filter((line) => !line.includes("503"))).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const text = texts[language];

  test("the figures of a year are bars with a sentence, a table, and a file", async () => {
    const { page, visitor, officer, press } = await visit(language);
    const say = text["privacy-metrics"];
    await page.goto("/console/privacy/metrics?year=2026");
    await page.locator("#metrics-figures").waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    expect(await page.getByRole("table").last().innerText()).toContain("4.5");
    const saved = page.waitForEvent("download");
    await press(say.csv);
    expect((await saved).suggestedFilename()).toBe("privacy-requests-2026.csv");
    officer.year = { years: [], types: [] };
    await page.getByRole("link", { name: "2025" }).press("Enter");
    await page.getByText(say.empty.title.replace("{{year}}", "2025")).last().waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["en"])("in %s", (language) => {
  const text = texts[language];

  test("a breach is recorded, decided, notified and closed with the keyboard", async () => {
    const { page, visitor, officer, button, press } = await visit(language);
    const say = text.breaches;
    officer.breaches = [];
    await page.goto("/console/privacy/breaches");
    await page.getByText(say.empty.title).last().waitFor();
    await press(say.form.recordTitle);
    await page.locator("#breach-data-contact").waitFor();
    await page.locator(".breach-form__boxes summary").first().press("Enter");
    await press(say.form.record);
    await page.getByText(say.errors.natureRequired).last().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.locator("[name=nature]").fill("מחשב נייד נגנב");
    await page.locator("[name=people]").fill("1200");
    await page.locator("#breach-stores-postgres-accounts-account").check();
    await press(say.form.record);
    await page.getByRole("table").getByRole("link").first().press("Enter");
    await page.locator("#breach-history").waitFor();
    for (const summary of await page.locator("details > summary").all())
      await summary.press("Enter");
    expect(await faultsAtWidths(page)).toEqual([]);
    for (const of of [say.act.authority, say.act.subjects]) {
      await page.getByRole("button", { name: `${say.act.decide} ${of}` }).press("Enter");
      await page.locator("[name=reason]").fill("The data can be read");
      if (of === say.act.subjects) await page.locator("[name=notify]").selectOption("no");
      await press(say.act.decideSubmit);
      await page.locator("[name=reason]").waitFor({ state: "detached" });
    }
    officer.instead.set("notified", { status: 409, code: "version_conflict" });
    await button(say.act.sent).press("Enter");
    await press(say.act.sentSubmit);
    await page.getByText(say.errors.changed).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await press(say.act.sentSubmit);
    await press(say.act.close);
    await button(say.act.close).waitFor({ state: "detached" });
    expect(officer.acts.map(([act]) => act)).toEqual([
      "record",
      "decide",
      "decide",
      "notified",
      "close",
    ]);
    expect(officer.acts[0]?.[1]).toMatchObject({
      facts: { people: 1200, stores: ["postgres accounts.account"] },
      text: { nature: "מחשב נייד נגנב" },
    });
    expect(visitor.noise.filter((line) => !line.includes("409"))).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const text = texts[language];

  test("the register shows the hours that are left, and that it could not be read", async () => {
    const { page, visitor, officer } = await visit(language);
    await page.goto("/console/privacy/breaches");
    await page.locator(".breach__countdown").first().waitFor();
    expect(await page.locator(".breach__countdown[data-urgent=true]").count()).toBe(2);
    expect(await faultsAtWidths(page)).toEqual([]);
    officer.breaches = [exampleBreach(7, 1)];
    officer.instead.set("breaches", { status: 503, code: "ledger_unavailable" });
    await page.reload();
    await page.locator(".breach__countdown").waitFor();
    expect(visitor.noise.filter((line) => !line.includes("503"))).toEqual([]);
    await visitor.leave();
  });

  test("a hold whose review has passed stands out, and is prolonged; the evidence is saved", async () => {
    const { page, visitor, requests, press } = await visit(language);
    const say = text["privacy-console"];
    const day = 24 * 60 * 60_000;
    const hold = {
      holdId: "3f8fad5b-d9cb-469f-a165-70867728950e",
      law: "Evidence Ordinance, סעיף 4",
      reviewAt: new Date(Date.now() - 2 * day).toISOString(),
      officerId: "0f8fad5b-d9cb-469f-a165-70867728950e",
    };
    const held = { type: "delete", status: "scheduled", needsDecision: false, held: true };
    requests.requests = [exampleRequest(5, 40, { ...held, holds: [hold] })];
    await page.goto(`/console/privacy/requests/${exampleRequest(5, 0).requestId}`);
    await page.locator("[data-late=true]").waitFor();
    await press(say.holds.prolong);
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.locator("[name=reason]").selectOption("investigation");
    await press(say.holds.prolongSubmit);
    await page.locator("[name=reason]").waitFor({ state: "detached" });
    expect(requests.decided.map(([act]) => act)).toEqual([`holds/${hold.holdId}/review`]);
    const saved = page.waitForEvent("download");
    await press(say.evidence.save);
    expect((await saved).suggestedFilename()).toBe("evidence-5f8fad5b.zip");
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});
