import { ConsentHistory } from "@pro-talent/schemas/consent/calls";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type ExampleArea, startExampleArea } from "../example-area-server.ts";
import type { Language } from "../fixtures.ts";
import { accessibilityFaults, overflowFaults } from "../page-faults.ts";

/** A view of what a server knows, through the query cache, the typed client and HTTP. */
let area: ExampleArea;
beforeAll(async () => {
  area = await startExampleArea();
});
afterAll(() => area.stop());

const notice = { version: "1", language: "en", textHash: "a".repeat(64) };
const entry = (position: number, decision: "granted" | "withdrawn", shown: unknown) => ({
  receiptId: `0f8fad5b-d9cb-469f-a165-70867728950${position}`,
  decision,
  purpose: "analytics",
  method: "accept_all",
  notice: shown,
  recordedAt: "2026-01-13T14:21:00.000Z",
  position,
});
/** An answer by the call's own contract. */
const listOf = (...entries: ReturnType<typeof entry>[]) => ({
  status: 200,
  body: ConsentHistory.parse({ entries }),
});
const granted = entry(1, "granted", notice);
const refusal = (status: number) => ({ status, body: { code: "refused", error: "Refused." } });

const patience = { timeout: 20_000, interval: 20 };
const view = (page: Page) => page.locator(".data-view");
const busy = (page: Page) => view(page).getAttribute("aria-busy");
const rows = (page: Page) => view(page).getByRole("listitem");
const holdsFocus = (page: Page) =>
  view(page).evaluate((element) => element.contains(document.activeElement));

async function faultsOf(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 700 });
  return [...(await accessibilityFaults(page)), ...(await overflowFaults(page))];
}

// The states are the same in both languages; their texts are translations.
describe.each<Language>(["he"])("in %s", (language) => {
  const text = (english: string, hebrew: string) => (language === "en" ? english : hebrew);
  const retry = (page: Page) =>
    page.getByRole("button", { name: text("Try again", "לנסות שוב"), exact: true });

  async function arrive(answer: Parameters<ExampleArea["answerWith"]>[0]) {
    area.answerWith(answer);
    const visitor = await area.visit({ language, fresh: true });
    await visitor.page.goto("/links");
    await visitor.page
      .getByRole("heading", { level: 1, name: text("Decisions", "החלטות") })
      .waitFor();
    return { visitor, page: visitor.page };
  }

  test("a slow answer has an outline of the content and is announced, then replaced", async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { visitor, page } = await arrive(async () => {
      await promise;
      return listOf(granted);
    });
    await view(page).locator(".skeleton").first().waitFor();
    expect(await busy(page)).toBe("true");
    expect(await view(page).getByRole("status").textContent()).toBe(
      text("The decisions are being loaded", "ההחלטות נטענות"),
    );
    expect(await faultsOf(page)).toEqual([]);
    resolve(undefined);
    await rows(page).first().waitFor();
    expect(await view(page).locator(".skeleton").count()).toBe(0);
    expect(await view(page).getByRole("status").textContent()).toBe("");
    expect(await busy(page)).toBe("false");
    expect(area.calls()).toHaveLength(1);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("nothing there at first is not the same as nothing left by a filter", async () => {
    const first = await arrive(() => listOf());
    await first.page.getByText(text("No decisions yet", "אין עדיין החלטות")).waitFor();
    expect(await faultsOf(first.page)).toEqual([]);
    await first.visitor.leave();

    const { visitor, page } = await arrive(() => listOf(granted));
    await rows(page).first().waitFor();
    await page.getByRole("button", { name: text("Only withdrawn", "רק מה שבוטל") }).press("Enter");
    const clear = page.getByRole("button", { name: text("Clear the filter", "לנקות את הסינון") });
    await clear.waitFor();
    expect(await view(page).getByRole("status").textContent()).toBe(
      text("Nothing was withdrawn", "אין החלטות שבוטלו"),
    );
    expect(await page.getByText(text("No decisions yet", "אין עדיין החלטות")).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await clear.press("Enter");
    await rows(page).first().waitFor();
    expect(await holdsFocus(page)).toBe(true);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("content in part says what is missing", async () => {
    const { visitor, page } = await arrive(() => listOf(granted, entry(2, "withdrawn", null)));
    await page.getByText(text("Some texts are missing", "חלק מהנוסחים חסרים")).waitFor();
    expect(await rows(page).count()).toBe(2);
    expect(await faultsOf(page)).toEqual([]);
    await visitor.leave();
  });

  test("a failure is shown after two more attempts, and its button asks again", async () => {
    const { visitor, page } = await arrive(() => refusal(503));
    await retry(page).waitFor();
    expect(area.calls()).toHaveLength(3);
    expect(await view(page).getByRole("status").textContent()).toBe(
      text("The decisions could not be loaded", "לא הצלחנו לטעון את ההחלטות"),
    );
    expect(await faultsOf(page)).toEqual([]);
    area.answerWith(() => listOf(granted));
    await retry(page).press("Enter");
    await rows(page).first().waitFor();
    expect(await holdsFocus(page)).toBe(true);
    expect(area.calls()).toHaveLength(1);
    await visitor.leave();
  });

  test("what is not allowed is asked for once and offers no retry", async () => {
    const { visitor, page } = await arrive(() => refusal(403));
    await view(page)
      .locator("p", { hasText: text("Not your decisions", "ההחלטות של מישהו אחר") })
      .waitFor();
    expect(await retry(page).count()).toBe(0);
    expect(area.calls()).toHaveLength(1);
    expect(await faultsOf(page)).toEqual([]);
    await visitor.leave();
  });

  test("content stays when it cannot be updated, marked as outdated", async () => {
    const { visitor, page } = await arrive(() => listOf(granted));
    await rows(page).first().waitFor();
    area.answerWith(() => refusal(503));
    await page.clock.install();
    await page.clock.runFor(60_000);
    // As when the visitor comes back to the tab.
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await vi.waitFor(async () => {
      await page.clock.runFor(1_000);
      expect(await retry(page).count()).toBe(1);
    }, patience);
    expect(await rows(page).count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
    area.answerWith(() => listOf(granted, entry(2, "withdrawn", notice)));
    await retry(page).press("Enter");
    await vi.waitFor(async () => expect(await rows(page).count()).toBe(2), patience);
    expect(await retry(page).count()).toBe(0);
    expect(await holdsFocus(page)).toBe(true);
    await visitor.leave();
  });

  test("without a connection it says so, and goes on by itself once it is back", async () => {
    area.answerWith(() => listOf(granted));
    const visitor = await area.visit({ language });
    const { page } = visitor;
    await page.goto("/cv");
    const link = page
      .getByRole("navigation")
      .getByRole("link", { name: text("Decisions", "החלטות") });
    await link.waitFor();
    await page.context().setOffline(true);
    await link.click();
    await view(page)
      .locator("p", { hasText: text("There is no connection", "אין חיבור לרשת") })
      .waitFor();
    expect(area.calls()).toEqual([]);
    await page.context().setOffline(false);
    await rows(page).first().waitFor();
    await visitor.leave();
  });

  test("a refused token leads to the sign-in page, once", async () => {
    area.answerWith(() => refusal(401));
    const once =
      "sessionStorage.length || localStorage.setItem('token', 'bearer-1'); sessionStorage.setItem('seen', '1');";
    const visitor = await area.visit({ language, before: once });
    const { page } = visitor;
    const documents: string[] = [];
    let refused = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
    });
    page.on("response", (answer) => {
      if (answer.status() === 401) refused += 1;
    });
    await page.goto("/links?days=30");
    await page.getByRole("heading", { level: 1, name: text("Sign in", "כניסה") }).waitFor();
    // The sign-in page of this area makes the same call, and it is refused too.
    await vi.waitFor(() => expect(refused).toBe(2), patience);
    // What the page did with the second answer comes before the answer to a later question.
    expect(await page.evaluate(() => fetch("/login").then(({ ok }) => ok))).toBe(true);
    expect(documents).toEqual(["/links", "/login"]);
    expect(new URL(page.url()).searchParams.get("next")).toBe("/links?days=30");
    expect(area.calls()).toHaveLength(2);
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
    await visitor.leave();
  });
});
