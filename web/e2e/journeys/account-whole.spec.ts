import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { storedToken } from "../account-visitor.ts";
import { type Stack, type Visitor } from "../fixtures.ts";
import { linkIn } from "../mail-box.ts";
import { startOpenStack } from "../products.ts";
import { texts } from "../texts.ts";

/** An account from its mail to its passkey, through the whole product. */
let stack: Stack;
beforeAll(async () => {
  stack = await startOpenStack();
});
afterAll(() => stack.stop());

const password = "seven grey herons at noon";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** A key that confirms its user without asking: what a finger on a sensor would do. */
async function addKey(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** A picture of 64 by 64 pixels, drawn by the browser. */
function drawPicture(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const canvas = new OffscreenCanvas(64, 64);
    const context = canvas.getContext("2d");
    if (context !== null) {
      context.fillStyle = "seagreen";
      context.fillRect(8, 8, 48, 48);
    }
    const picture = await canvas.convertToBlob({ type: "image/png" });
    return [...new Uint8Array(await picture.arrayBuffer())];
  });
}

async function join(visitor: Visitor, email: string, language: "en" | "he"): Promise<void> {
  const { page } = visitor;
  const { account, entry } = texts[language];
  await page.goto("/join");
  const status = await page.evaluate(async (body) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/api/account/registration", { method: "POST", headers, body });
    return answer.status;
  }, JSON.stringify({ email, language }));
  expect(status).toBe(202);
  await page.goto(linkIn(await stack.mail.waitFor(email), "/join"));
  await page.locator(".account-entry__for", { hasText: email }).waitFor();
  await page.locator("[name=fullName]").fill("Noa Levi");
  await page.locator("[name=password]").fill("password123");
  await page.locator("[name=terms]").check();
  await page.locator("[name=privacy]").check();
  await button(page, entry.join.submit).press("Enter");
  await page.locator(".field__error", { hasText: account.errors.passwordWeak }).waitFor();
  await page.locator("[name=password]").fill(password);
  await button(page, entry.join.submit).press("Enter");
  await page.waitForURL("**/dashboard");
}

test.each(["en"] as const)(
  "in %s an account is joined, completed, protected by a passkey and entered with it",
  async (language) => {
    const { account, settings } = texts[language];
    const email = `noa.${language}@example.com`;
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await addKey(page);
    await join(visitor, email, language);

    await page.goto("/account/profile");
    await page.locator("[name=handle]").fill(`noa-levi-${language}`);
    await button(page, settings.profile.save).press("Enter");
    await page.getByText(settings.profile.saved).waitFor();
    const buffer = Buffer.from(await drawPicture(page));
    await page
      .locator("#photo-file")
      .setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
    await button(page, settings.photo.use).press("Enter");
    await page.getByText(settings.photo.saved).waitFor();
    await page.getByRole("img", { name: settings.photo.alt }).waitFor();

    await page.goto("/account/security");
    await page.locator("[name=name]").fill("Sensor");
    await button(page, settings.passkeys.add).press("Enter");
    await page.locator(".settings__name", { hasText: "Sensor" }).waitFor();

    await page.keyboard.press("Control+k");
    const commands = page.getByRole("dialog", { name: account.commands.title });
    await commands.locator("input:focus").waitFor();
    await page.keyboard.type(account.layout.signOut);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${stack.origin}/`);
    expect(await storedToken(page)).toBeNull();

    await page.goto("/login?next=%2Faccount%2Fsecurity");
    await button(page, account.signIn.passkey).press("Enter");
    await page.waitForURL("**/account/security");
    await page.locator(".settings__name", { hasText: "Sensor" }).waitFor();
    expect(visitor.noise.filter((line) => !line.includes("422"))).toEqual([]);
    await visitor.leave();
  },
);

test.each(["he"] as const)(
  "in %s a wrong password is refused, a forgotten one is set anew by a mailed link, which leads to the page that was asked for",
  async (language) => {
    const { account, entry } = texts[language];
    const email = `dan.${language}@example.com`;
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await join(visitor, email, language);
    // From a public page: the area would go to the sign-in by itself, during the navigation.
    await page.goto("/about");
    await page.evaluate(() => localStorage.removeItem("token"));
    await page.goto("/account/profile?from=mail");
    await page.waitForURL("**/login?next=*");
    await page.locator("[name=email]").fill(email);
    await page.locator("[name=password]").fill("not this one");
    await button(page, account.signIn.submit).press("Enter");
    await page.locator(".notice", { hasText: account.errors.refused }).waitFor();
    await page.getByRole("link", { name: account.signIn.forgotten }).press("Enter");
    await page.waitForURL("**/login/forgotten?next=*");
    await page.locator("[name=email]").fill(email);
    await button(page, entry.forgotten.submit).press("Enter");
    await page.locator(".notice--success").waitFor();
    await page.goto(linkIn(await stack.mail.waitFor(email, 2), "/login/reset"));
    await page.locator("[name=password]").fill("eight grey herons at noon");
    await button(page, entry.reset.submit).press("Enter");
    await page.locator(".notice--success", { hasText: entry.reset.done }).waitFor();
    await page.getByRole("link", { name: entry.reset.toSignIn }).press("Enter");
    await page.locator("[name=email]").fill(email);
    await page.locator("[name=password]").fill("eight grey herons at noon");
    await page.locator("[name=password]").press("Enter");
    await page.waitForURL("**/account/profile?from=mail");
    expect(await storedToken(page)).not.toBeNull();
    await visitor.leave();
  },
);
