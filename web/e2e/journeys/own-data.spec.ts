import { readFile } from "node:fs/promises";

import { visitorDataCalls } from "@pro-talent/schemas/analytics/erasure-calls";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { faultsInAllLooks } from "../account-visitor.ts";
import { banner, button, dialog, eventually, openHome } from "../consent-page.ts";
import { type Language, type Stack } from "../fixtures.ts";
import { accessibilityFaults, faultFinder } from "../page-faults.ts";
import { startStack } from "../products.ts";
import { texts } from "../texts.ts";

/** A visitor without an account and what was collected in their browser. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const StoredData = visitorDataCalls["POST /api/analytics/visitor/data"].answer;

/** What is stored under the id that the browser keeps. */
async function storedData(page: Page) {
  const text = await page.evaluate(async () => {
    const body = JSON.stringify({ anonymousId: localStorage.getItem("anonymousId") });
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body };
    return (await fetch("/api/analytics/visitor/data", init)).text();
  });
  return StoredData.parse(JSON.parse(text));
}

// In one language: the other direction and theme are looked at beside.
describe.each<Language>(["he"])("in %s", (language) => {
  const { consent, shell } = texts[language];
  const { own } = consent;

  test("a visitor sees what was collected, saves it, erases it, and is measured no more", async () => {
    const visitor = await stack.visit({ language, before: faultFinder });
    const page = await openHome(visitor);
    await button(banner(page), consent.acceptAll).press("Enter");
    await banner(page).waitFor({ state: "hidden" });
    const keptId = () => page.evaluate(() => localStorage.getItem("anonymousId"));
    await eventually(async () => expect(await keptId()).not.toBe(null));
    await page.goto("/about");
    const pages = async () => (await storedData(page)).events.map((event) => event.page);
    // What was recorded is shipped within seconds, on a busy machine later.
    const patience = { timeout: 30_000, interval: 500 };
    await vi.waitFor(async () => expect(await pages()).toContain("/about"), patience);
    const session = (await storedData(page)).events[0]?.session_id ?? "";
    const rows = async () =>
      Number(await stack.ask(`SELECT count() FROM events WHERE session_id = '${session}'`));
    const settings = page.getByRole("button", { name: shell.footer.cookieSettings });
    const ownData = dialog(page).getByRole("region", { name: own.title });
    await settings.press("Enter");
    await button(ownData, own.show).press("Enter");
    await ownData.getByText("/about").first().waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button(ownData, own.save).press("Enter"),
    ]);
    const saved = StoredData.parse(JSON.parse(await readFile(await download.path(), "utf8")));
    expect(saved.events.map(({ session_id }) => session_id)).toContain(session);
    await button(ownData, own.erase).press("Enter");
    await button(ownData, own.confirm).press("Enter");
    await ownData.getByText(own.erased).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await eventually(async () => expect(await keptId()).toBe(null));
    await eventually(async () => expect(await rows()).toBe(0));
    await page.goto("/pricing");
    await settings.press("Enter");
    await dialog(page).waitFor();
    expect(await ownData.count()).toBe(0);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});
