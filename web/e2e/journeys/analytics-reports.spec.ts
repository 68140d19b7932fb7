import { afterAll, beforeAll, expect, test } from "vitest";

import { banner, button, consentTexts, eventually, stored } from "../consent-page.ts";
import {
  type Call,
  callsOf,
  type Stack,
  startPages,
  type Visitor,
  type VisitorOptions,
} from "../fixtures.ts";
import { takeReports } from "../forced-answers.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function visit(options?: VisitorOptions): Promise<Visitor> {
  const visitor = await stack.visit(options);
  await takeReports(visitor.page);
  return visitor;
}

test("Do Not Track of the window counts: no banner, and nothing about the visitor is sent", async () => {
  const visitor = await visit({
    before: "Object.defineProperty(window, 'doNotTrack', { value: '1' })",
  });
  const { page } = visitor;
  await page.goto("/");
  await eventually(() => expect(visitor.of("pageview")).toHaveLength(1));
  expect(await banner(page).isVisible()).toBe(false);
  expect(visitor.of("start")[0]?.body).toEqual({ landingPage: "/" });
  await visitor.leave();
});

test("an answer of 401 to reports leaves the visitor on the page, with the token", async () => {
  const visitor = await stack.visit({ before: "localStorage.setItem('token', 'bearer-1')" });
  const { page } = visitor;
  await page.route("**/api/analytics/**", (route) => route.fulfill({ status: 401, json: {} }));
  const answered = page.waitForResponse((answer) => answer.status() === 401);
  await page.goto("/about");
  await answered;
  await button(banner(page), consentTexts.en.accept).click();
  await page.waitForResponse((answer) => answer.status() === 401);
  expect(new URL(page.url()).pathname).toBe("/about");
  expect((await stored(page)).local).toContain("token");
  await visitor.leave();
});

test("two tabs: a decision in one closes the banner of the other, which joins its ids", async () => {
  const visitor = await visit();
  const other = await visitor.page.context().newPage();
  await takeReports(other);
  const sent: Call[] = [];
  other.on("request", (request) => sent.push(...callsOf(request)));
  const arrived = other.waitForRequest("**/session/start");
  await other.goto("/about");
  await arrived;
  await visitor.open("/");
  await button(banner(visitor.page), consentTexts.en.accept).click();
  await banner(other).waitFor({ state: "hidden" });
  await eventually(() =>
    expect(sent).toContainEqual({
      name: "pageview",
      body: expect.objectContaining({ page: "/about", title: expect.any(String) }),
    }),
  );
  expect(visitor.of("consent")).toHaveLength(1);
  await visitor.leave();
});

test("clicks are reported with the kind of their element", async () => {
  const visitor = await visit();
  const { page } = visitor;
  await visitor.open("/");
  await button(banner(page), consentTexts.en.accept).click();
  const kinds = {
    "nav-resources": "control",
    "nav/about": "navigation",
    "nav/signup": "call_to_action",
    "hero-pricing": "call_to_action",
    "promise-privacy": "text_link",
    "newsletter-subscribe": "form",
    "billing-annual": "control",
    "footer/terms": "navigation",
    "footer-cookie-settings": "consent",
  };
  await page.evaluate((names) => {
    // After the report is made, and before anything happens.
    const stop = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    document.getElementById("root")?.addEventListener("click", stop, { capture: true });
    for (const name of names) {
      document
        .querySelector(`[data-track="${name}"]`)
        ?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
  }, Object.keys(kinds));
  await eventually(() => expect(visitor.of("click")).toHaveLength(Object.keys(kinds).length));
  const reported = visitor.of("click").map(({ body }) => [body["element"], body["category"]]);
  expect(Object.fromEntries(reported)).toEqual(kinds);
  await visitor.leave();
});
