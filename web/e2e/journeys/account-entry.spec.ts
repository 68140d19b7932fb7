import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { recoveryCodes, rightPassword } from "../account-answers.ts";
import { faultsAtWidths, storedToken, visitAccount } from "../account-visitor.ts";
import { newAnsweredPage } from "../answer-calls.ts";
import { type Stack, startPages } from "../fixtures.ts";
import { takeReports } from "../forced-answers.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

/** Into an account: the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const press = (page: Page) => page.locator("main form [type=submit]").press("Enter");
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("name"));
const patience = { timeout: 10_000, interval: 20 };

async function fillIn(page: Page, password = rightPassword): Promise<void> {
  await page.locator("[name=email]").fill("noa.levi@example.com");
  await page.locator("[name=password]").fill(password);
}

describe.each(["en", "he"] as const)("in %s", (language) => {
  const { account, dashboard } = texts[language];

  test("what is missing is said in a summary and at its field, what is wrong above the form", async () => {
    const { visitor, page, answers } = await visitAccount(stack, "/login", {
      language,
      signedIn: false,
    });
    await press(page);
    const summary = page.locator(".error-summary");
    await summary.waitFor();
    expect(await summary.getByRole("link").allTextContents()).toEqual([
      account.errors.emailRequired,
      account.errors.passwordRequired,
    ]);
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await faultsAtWidths(page)).toEqual([]);
    await summary.getByRole("link").first().press("Enter");
    expect(await focused(page)).toBe("email");
    await fillIn(page, "wrong");
    await press(page);
    await page.locator(".notice", { hasText: account.errors.refused }).waitFor();
    expect(await page.locator("[name=email]").inputValue()).toBe("noa.levi@example.com");
    answers.instead.set("POST /api/account/sign-in", "lost");
    await press(page);
    await page.locator(".notice", { hasText: account.errors.network }).waitFor();
    answers.instead.clear();
    await fillIn(page);
    await page.getByRole("button", { name: account.fields.showPassword }).press("Enter");
    expect(await page.locator("[name=password]").getAttribute("type")).toBe("text");
    await press(page);
    await page.waitForURL("**/dashboard");
    await visitor.leave();
  });

  test("an invitation opens an account once name, password and both consents are there", async () => {
    const { visitor, page, answers } = await visitAccount(stack, "/join#token=t-1", {
      language,
      signedIn: false,
    });
    await page.locator("[name=fullName]").waitFor();
    expect(await page.locator("[name=terms]").isChecked()).toBe(false);
    expect(await page.locator("[name=privacy]").isChecked()).toBe(false);
    await press(page);
    await page.locator(".error-summary").waitFor();
    expect(await page.locator(".error-summary a").count()).toBe(4);
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.locator("[name=fullName]").fill("Noa Levi");
    await page.locator("[name=password]").fill("short");
    await page.getByText(account.password.short_other.replace("{{count}}", "3")).waitFor();
    await page.locator("[name=password]").fill(rightPassword);
    await page.locator("[name=terms]").check();
    await page.locator("[name=privacy]").check();
    await press(page);
    await page.waitForURL("**/dashboard");
    expect(answers.bodies.get("POST /api/account/join")).toMatchObject({
      token: "t-1",
      fullName: "Noa Levi",
      language,
      timeZone: "UTC",
      accepted: { terms: true, privacy: true },
    });
    await page.getByRole("heading", { level: 1, name: /Noa Levi/ }).waitFor();
    await page.getByText(dashboard.steps.protect.title).waitFor();
    await visitor.leave();
  });
});

// What does not depend on the language is shown in one of them.
test.each(["he"] as const)(
  "in %s the sign-in leads back to the page that was asked for, and Back does not lead to it again",
  async (language) => {
    const { account } = texts[language];
    const { visitor, page, answers } = await visitAccount(stack, "/account/security?from=mail", {
      language,
      signedIn: false,
    });
    await page.getByText(account.signIn.next).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await fillIn(page);
    await page.locator("[name=password]").press("Enter");
    await page.waitForURL("**/account/security?from=mail");
    expect(await storedToken(page)).toBe("bearer-2");
    expect(answers.bodies.get("POST /api/account/sign-in")).toEqual({
      email: "noa.levi@example.com",
      password: rightPassword,
    });
    await page.goBack();
    expect(new URL(page.url()).pathname).not.toBe("/login");
    await visitor.leave();
  },
);

test.each(["he"] as const)(
  "in %s the second step takes a code or a recovery code, and begins in its field; no address outside the site follows",
  async (language) => {
    const { account } = texts[language];
    const { visitor, page } = await visitAccount(
      stack,
      "/login?next=%2F%2Fevil.example%2Fdashboard",
      {
        language,
        signedIn: false,
        prepare: (answers) => Object.assign(answers.account, { totp: true, factor: true }),
      },
    );
    await fillIn(page);
    await press(page);
    const code = page.locator("[name=code]");
    await code.waitFor();
    await vi.waitFor(async () => expect(await focused(page)).toBe("code"), patience);
    expect(await code.getAttribute("autocomplete")).toBe("one-time-code");
    expect(await faultsAtWidths(page)).toEqual([]);
    await code.fill("000000");
    await press(page);
    await page.locator(".field__error", { hasText: account.errors.codeWrong }).waitFor();
    await page.getByRole("button", { name: account.factor.useRecovery }).press("Enter");
    await page.getByLabel(account.factor.recovery).fill(recoveryCodes[0] ?? "");
    await press(page);
    await page.waitForURL(`${stack.origin}/dashboard`);
    await visitor.leave();
  },
);

test.each(["he"] as const)("in %s a link that has ended says so and leads on", async (language) => {
  const { entry } = texts[language];
  const { visitor, page } = await visitAccount(stack, "/join#token=old", {
    language,
    signedIn: false,
  });
  await page.getByText(entry.link.ended).waitFor();
  expect(await faultsAtWidths(page)).toEqual([]);
  await page.goto("/login/reset");
  await page.getByText(entry.link.unknown).waitFor();
  await visitor.leave();
});

test.each(["en"] as const)(
  "in %s a forgotten password is set anew, without signing in",
  async (language) => {
    const { entry } = texts[language];
    const { visitor, page, answers } = await visitAccount(
      stack,
      "/login/forgotten?next=%2F%2Fevil.example%2Fdashboard",
      { language, signedIn: false },
    );
    await page.locator("[name=email]").fill("noa.levi@example.com");
    await press(page);
    await page.locator(".notice--success", { hasText: entry.forgotten.done }).waitFor();
    // An address outside the site is not even mailed.
    expect(answers.bodies.get("POST /api/account/password/forgotten")).toEqual({
      email: "noa.levi@example.com",
      language,
      next: "/dashboard",
    });
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.goto("/login/reset?next=%2F%2Fevil.example%2Fdashboard#token=t-1");
    await page.locator("[name=password]").fill(rightPassword);
    await press(page);
    await page.locator(".notice--success", { hasText: entry.reset.done }).waitFor();
    expect(await storedToken(page)).toBeNull();
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.getByRole("link", { name: entry.reset.toSignIn }).press("Enter");
    await fillIn(page);
    await press(page);
    await page.waitForURL(`${stack.origin}/dashboard`);
    await page.goto("/login/email#token=t-1");
    await press(page);
    await page.locator(".notice--success", { hasText: entry.email.done }).waitFor();
    await visitor.leave();
  },
);

test("a sign-in in another tab is followed", async () => {
  const { visitor, page } = await visitAccount(stack, "/login?next=%2Faccount%2Fprofile", {
    language: "en",
    signedIn: false,
  });
  const other = await newAnsweredPage(page.context());
  await other.goto("/login");
  await fillIn(other);
  await press(other);
  await other.waitForURL("**/dashboard");
  await page.waitForURL("**/account/profile");
  expect(await storedToken(page)).toBe("bearer-2");
  await visitor.leave();
});

test("a sign-out in one tab is followed by the other, and by the header of a public page", async () => {
  const { visitor, page } = await visitAccount(stack, "/dashboard", {
    language: "en",
    before: consentGiven,
  });
  await takeReports(page);
  const other = await newAnsweredPage(page.context());
  await takeReports(other);
  await other.goto("/about");
  const { nav } = texts.en.shell;
  const dashboardLink = other.getByRole("link", { name: nav.dashboard });
  await dashboardLink.waitFor();
  expect(await other.getByRole("link", { name: nav.signIn }).isVisible()).toBe(false);
  await other.getByRole("button", { name: nav.signOut }).press("Enter");
  await other.getByRole("link", { name: nav.signIn }).waitFor();
  expect(await dashboardLink.isVisible()).toBe(false);
  await page.waitForURL(`${stack.origin}/`);
  expect(await storedToken(other)).toBeNull();
  await visitor.leave();
});
