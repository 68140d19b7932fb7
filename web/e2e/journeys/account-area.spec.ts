import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { recoveryCodes, rightCode, rightPassword } from "../account-answers.ts";
import { faultsAtWidths, faultsInAllLooks, storedToken, visitAccount } from "../account-visitor.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** The pages of an account: the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const save = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

// Each in one language: the other direction and theme are looked at beside.
describe.each<Language>(["en"])("in %s", (language) => {
  const { account, settings, dashboard } = texts[language];

  test("the dashboard shows what to do next, and nothing when all is done", async () => {
    const { visitor, page, answers } = await visitAccount(stack, "/dashboard", { language });
    await page.getByRole("heading", { name: dashboard.steps.protect.title }).waitFor();
    expect(await page.locator(".next-steps__step").count()).toBe(3);
    expect(await faultsInAllLooks(page)).toEqual([]);
    await page.getByRole("link", { name: dashboard.steps.protect.action }).press("Enter");
    await page.getByRole("heading", { level: 1, name: settings.security.title }).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    const complete = { phone: "03-1234567", address: "Tel Aviv", handle: "noa-levi" };
    Object.assign(answers.account.profile, complete);
    await page.goto("/dashboard");
    await page.locator(".next-steps__step").first().waitFor();
    expect(await page.locator(".next-steps__step").count()).toBe(2);
    await visitor.leave();
  });

  test("an authenticator is set up after the holder was confirmed, not without it, and its codes are shown once", async () => {
    const { visitor, page, answers } = await visitAccount(stack, "/account/security", {
      language,
      prepare: (prepared) => {
        prepared.stepUpDue = true;
      },
    });
    await save(page, settings.factors.setUp).press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".notice", { hasText: account.errors.notConfirmed }).waitFor();
    expect(answers.account.totp).toBe(false);
    await save(page, settings.factors.setUp).press("Enter");
    const dialog = page.getByRole("dialog", { name: account.stepUp.title });
    await dialog.waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    await dialog.locator("[name=password]").fill("wrong");
    await save(page, account.stepUp.submit).press("Enter");
    await dialog.getByRole("link", { name: account.errors.passwordRefused }).waitFor();
    await dialog.locator("[name=password]").fill(rightPassword);
    await dialog.locator("[name=password]").press("Enter");
    await page.getByRole("img", { name: settings.factors.qr }).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    await page.locator("[name=code]").fill(rightCode);
    await page.locator("[name=code]").press("Enter");
    await page.getByRole("heading", { name: settings.codes.shown }).waitFor();
    expect(await page.locator(".codes__list code").allTextContents()).toEqual(recoveryCodes);
    expect(await faultsInAllLooks(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await save(page, settings.codes.download).press("Enter");
    expect((await download).suggestedFilename()).toBe("pro-talent-recovery-codes.txt");
    await save(page, settings.codes.done).press("Enter");
    await page.getByText(settings.factors.authenticatorOn).waitFor();
    expect(await page.getByText(recoveryCodes[0] ?? "").count()).toBe(0);
    expect(answers.calls.filter((call) => call.endsWith("/factors/totp"))).toHaveLength(3);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const { settings } = texts[language];

  test("the profile is saved, and a taken handle is refused at its field", async () => {
    const { visitor, page, answers } = await visitAccount(stack, "/account/profile", {
      language,
    });
    await page.locator("[name=phone]").fill("03-1234567");
    const said = page.getByRole("status");
    await page.locator("[name=handle]").fill("noa");
    await said.filter({ hasText: settings.profile.handleFree }).waitFor();
    await page.locator("[name=handle]").fill("Taken");
    await said.filter({ hasText: settings.errors.handleTaken }).waitFor();
    await save(page, settings.profile.save).press("Enter");
    await page.locator(".field__error", { hasText: settings.errors.handleTaken }).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    // The suggestion is one press away.
    const offered = settings.profile.handleUse.replace("{{handle}}", "\u2068taken-2\u2069");
    await page.getByRole("button", { name: offered, exact: true }).press("Enter");
    expect(await page.locator("[name=handle]").inputValue()).toBe("taken-2");
    await said.filter({ hasText: settings.profile.handleFree }).waitFor();
    await page.locator("[name=handle]").fill("noa--levi");
    await save(page, settings.profile.save).press("Enter");
    await page.locator(".field__error", { hasText: settings.errors.handleInvalid }).waitFor();
    await page.locator("[name=handle]").fill("noa-levi");
    await save(page, settings.profile.save).press("Enter");
    await page.getByText(settings.profile.saved).waitFor();
    expect(answers.account.profile).toMatchObject({ phone: "03-1234567", handle: "noa-levi" });
    await visitor.leave();
  });

  test("mails about opens come once a day when the holder chooses so; summaries need a plan with opens", async () => {
    const { openMails } = settings;
    const visited = await visitAccount(stack, "/account/profile", { language });
    const { page, answers } = visited;
    const choice = (name: "first-open" | "daily" | "weekly" | "off") =>
      page.getByRole("radio", { name: openMails[name].label, exact: true });
    await choice("first-open").waitFor();
    expect(await choice("first-open").isChecked()).toBe(true);
    expect(await faultsInAllLooks(page)).toEqual([]);
    await choice("daily").check();
    await save(page, openMails.save).press("Enter");
    await page.getByText(openMails.saved).waitFor();
    expect(answers.openMails.preference).toBe("daily");
    answers.openMails = { preference: "first-open", digestsIncluded: false };
    await page.reload();
    await page.getByText(openMails.firstOnly).waitFor();
    expect(await choice("daily").count()).toBe(0);
    expect(await faultsInAllLooks(page)).toEqual([]);
    expect(visited.visitor.noise).toEqual([]);
    await visited.visitor.leave();
  });
});

// What does not depend on the language is shown in one of them.
test.each(["he"] as const)(
  "in %s an account that cannot be loaded is a failure with a way on, not an empty page",
  async (language) => {
    const { shell } = texts[language];
    const { visitor, page } = await visitAccount(stack, "/dashboard", {
      language,
      prepare: ({ instead }) => void instead.set("GET /api/account", { status: 503, body: {} }),
    });
    const failure = page.getByRole("heading", { level: 1, name: shell.failure.title });
    await failure.waitFor({ timeout: 20_000 });
    expect(await page.getByRole("button", { name: shell.failure.again }).isVisible()).toBe(true);
    await visitor.leave();
  },
);

test.each(["en"] as const)(
  "in %s what was typed survives a sign-in that expired, for this account alone",
  async (language) => {
    const { account, settings } = texts[language];
    const { visitor, page, answers } = await visitAccount(stack, "/account/profile", { language });
    await page.locator("[name=address]").fill("1 Herzl St, Haifa");
    const expired = { status: 401, body: { code: "unauthorized" } };
    answers.instead.set("PATCH /api/account/profile", expired);
    await save(page, settings.profile.save).press("Enter");
    await page.waitForURL("**/login?next=*");
    expect(await storedToken(page)).toBeNull();
    answers.instead.clear();
    await page.locator("[name=email]").fill(answers.account.email);
    await page.locator("[name=password]").fill(rightPassword);
    await page.locator("[name=password]").press("Enter");
    await page.waitForURL("**/account/profile");
    await page.getByText(account.form.restored).waitFor();
    expect(await page.locator("[name=address]").inputValue()).toBe("1 Herzl St, Haifa");
    expect(await faultsAtWidths(page)).toEqual([]);
    await save(page, settings.profile.save).press("Enter");
    await page.getByText(settings.profile.saved).waitFor();
    expect(answers.account.profile.address).toBe("1 Herzl St, Haifa");
    expect(await page.getByText(account.form.restored).count()).toBe(0);
    const kept = () =>
      page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("draft:")));
    expect(await kept()).toEqual([]);
    await visitor.leave();
  },
);

test.each(["he"] as const)(
  "in %s a passkey is renamed with an undo, and removed after a question that names it",
  async (language) => {
    const { visitor, page, answers } = await visitAccount(stack, "/account/security", {
      language,
      prepare: (prepared) => prepared.havePasskeys("Phone", "Laptop"),
    });
    const { passkeys } = texts[language].settings;
    const named = (text: string, name: string) => text.replace("{{name}}", name);
    await save(page, named(passkeys.renameOf, "Phone")).press("Enter");
    await page.locator(".settings__row [name=name]").fill("Old phone");
    await page.locator(".settings__row [name=name]").press("Enter");
    await page.getByText(named(passkeys.renamed, "Old phone")).waitFor();
    await save(page, passkeys.undo).press("Enter");
    await save(page, named(passkeys.renameOf, "Phone")).waitFor();
    await save(page, named(passkeys.removeOf, "Laptop")).press("Enter");
    const dialog = page.getByRole("dialog", { name: named(passkeys.removeTitle, "Laptop") });
    await dialog.waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await dialog.getByRole("button", { name: passkeys.remove }).press("Enter");
    await page.getByText(named(passkeys.removed, "Laptop")).waitFor();
    expect(answers.passkeys.map(({ name }) => name)).toEqual(["Phone"]);
    await visitor.leave();
  },
);

test.each(["en"] as const)(
  "in %s other devices are signed out, one by one or all after a question",
  async (language) => {
    const { visitor, page, answers } = await visitAccount(stack, "/account/security", { language });
    const { sessions } = texts[language].settings;
    await save(page, sessions.endOf.replace("{{name}}", sessions.unknown)).press("Enter");
    await page.getByText(sessions.ended.replace("{{name}}", sessions.unknown)).waitFor();
    // Disabled while the list is read again.
    await page.getByRole("button", { name: sessions.endOthers, disabled: false }).waitFor();
    await save(page, sessions.endOthers).press("Enter");
    const dialog = page.getByRole("dialog", { name: sessions.endOthersTitle_one });
    await dialog.getByRole("button", { name: sessions.endOthers }).press("Enter");
    await page.getByText(sessions.endedOthers).waitFor();
    await save(page, sessions.endOthers).waitFor({ state: "detached" });
    expect(answers.sessions.map(({ current }) => current)).toEqual([true]);
    await visitor.leave();
  },
);

test.each(["he"] as const)(
  "in %s the command menu opens pages by name and signs out",
  async (language) => {
    const { account } = texts[language];
    const { visitor, page, answers } = await visitAccount(stack, "/dashboard", { language });
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: account.commands.title });
    await dialog.locator("input:focus").waitFor();
    await page.keyboard.type(account.layout.security);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/account/security");
    // The page that has arrived takes the focus, which would close a menu.
    await page.locator("h1:focus").waitFor();
    const signOut = page.waitForRequest("**/api/account/sign-out");
    await page.getByRole("button", { name: /Noa Levi/ }).press("Enter");
    await page.getByRole("menuitem", { name: account.layout.signOut }).press("Enter");
    await signOut;
    await page.waitForURL(`${stack.origin}/`);
    expect(await storedToken(page)).toBeNull();
    expect(answers.calls).toContain("POST /api/account/sign-out");
    await visitor.leave();
  },
);

test("staff without a second factor can open the page that sets one up, and no other", async () => {
  const { visitor, page } = await visitAccount(stack, "/dashboard", {
    language: "en",
    prepare: (answers) => {
      answers.account.roles = ["holder", "officer"];
    },
  });
  await page.waitForURL("**/account/security");
  await page.getByText(texts.en.settings.security.factorRequired).waitFor();
  expect(await page.getByRole("heading", { level: 2 }).allTextContents()).not.toContain(
    texts.en.settings.emailForm.title,
  );
  await visitor.leave();
});
