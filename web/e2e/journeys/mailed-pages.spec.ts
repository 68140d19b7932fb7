import { contactFormAnswers } from "@pro-talent/schemas/contact/categories";
import { newsletterFormAnswers } from "@pro-talent/schemas/newsletter/categories";
import { privacyFormAnswers } from "@pro-talent/schemas/privacy/form";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack, startPages, type Visitor } from "../fixtures.ts";
import { ForcedAnswers, takeReports } from "../forced-answers.ts";
import { accessibilityFaults, faultFinder, overflowFaults, targetFaults } from "../page-faults.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const calls = ["confirm", "resend", "preferences", "preferences/link", "unsubscribe"].map(
  (name) => `/api/newsletter/${name}`,
);
const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });

type Opened = { visitor: Visitor; page: Page; answers: ForcedAnswers };

async function open(language: Language, path: string): Promise<Opened> {
  const before = `${consentGiven}${faultFinder}`;
  const visitor = await stack.visit({ language, before });
  const { page } = visitor;
  const answers = new ForcedAnswers();
  await takeReports(page);
  await answers.takeOver(page, ...calls);
  await visitor.open(path);
  return { visitor, page, answers };
}

/** Overflow and targets at both widths; contrast and names at one, the narrow one in Hebrew. */
async function expectNoFault(page: Page): Promise<void> {
  const isHebrew = (await page.locator("html").getAttribute("lang")) === "he";
  for (const width of isHebrew ? [1280, 320] : [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect([...(await overflowFaults(page)), ...(await targetFaults(page))]).toEqual([]);
  }
  expect(await accessibilityFaults(page)).toEqual([]);
}

const heading = (page: Page): Promise<string> => page.locator("main h1").innerText();
const confirmPath = "/newsletter/confirm?token=t-1";
const formAnswers = [...contactFormAnswers, ...newsletterFormAnswers, ...privacyFormAnswers];
const noa = {
  status: "subscribed",
  email: "noa@example.com",
  language: "he",
  frequency: "weekly",
  topics: ["launch", "updates"],
};

describe.each<Language>(["en"])("the page of the confirmation mail, in %s", (language) => {
  const say = texts[language].confirm;

  test("asks nothing of the platform until the button is pressed, then leads on to the receipt", async () => {
    const { visitor, page, answers } = await open(language, confirmPath);
    expect(answers.calls).toEqual([]);
    await expectNoFault(page);
    await page.getByRole("button", { name: say.idle.confirm }).dblclick();
    await answers.answer({
      status: 200,
      body: { status: "confirmed", email: "noa+1@example.com" },
    });
    await page.waitForURL("**/newsletter/confirmed?email=noa%2B1%40example.com");
    expect(await page.locator(".confirmed__address bdi").innerText()).toBe("noa+1@example.com");
    expect(answers.calls.map(({ body }) => body)).toEqual([{ token: "t-1" }]);
    await page.goBack();
    expect(page.url()).not.toContain("token");
    await visitor.leave();
  });
});

describe.each(["en", "he"] as const)("the page of the confirmation mail, in %s", (language) => {
  const say = texts[language].confirm;

  const refusals = [
    ["token_used", say.used.title],
    ["token_unknown", say.unknown.title],
    ["token_expired", say.expired.title],
    ["token_superseded", say.superseded.title],
  ] as const;
  // Half of them in each language.
  test.each(refusals.filter((_, index) => index % 2 === (language === "en" ? 0 : 1)))(
    "answered with %s says what is the matter, with focus on it",
    async (code, title) => {
      const { visitor, page, answers } = await open(language, confirmPath);
      await page.getByRole("button", { name: say.idle.confirm }).click();
      await answers.answer({ status: 410, body: { code } });
      await page.locator("main h1:focus").waitFor();
      expect(await heading(page)).toBe(title);
      await expectNoFault(page);
      await visitor.leave();
    },
  );
});

describe.each<Language>(["he"])("the page of the confirmation mail, in %s", (language) => {
  const say = texts[language].confirm;

  test("an expired link has a new one sent to the same address", async () => {
    const { visitor, page, answers } = await open(language, confirmPath);
    await page.getByRole("button", { name: say.idle.confirm }).click();
    await answers.answer({ status: 410, body: { code: "token_superseded" } });
    const again = page.getByRole("button", { name: say.expired.send });
    await again.click();
    await answers.answer({ status: 429, body: { code: "rate_limited" } });
    await page.locator(".notice--error:focus").waitFor();
    expect(await page.locator(".notice--error").innerText()).toBe(say.expired.tooMany);
    await again.click();
    await answers.answer({ status: 200, body: { status: "confirmation_sent" } });
    await eventually(async () => expect(await heading(page)).toBe(say.resent.title));
    await expectNoFault(page);
    await visitor.leave();
  });
});

describe.each<Language>(["en"])("the page of preferences, in %s", (language) => {
  const say = texts[language].preferences;
  const path = "/newsletter/preferences?token=t-2";
  const loaded = async (): Promise<Opened> => {
    const opened = await open(language, path);
    await opened.answers.answer({ status: 200, body: noa });
    await opened.page.locator("#preference-weekly").waitFor();
    return opened;
  };

  test("shows what is chosen, and saves what is chosen then", async () => {
    const { visitor, page, answers } = await loaded();
    expect(await page.locator(".preferences-head bdi").innerText()).toBe(noa.email);
    expect(
      await page
        .locator(".preferences-form :checked")
        .evaluateAll((boxes) => boxes.map(({ id }) => id)),
    ).toEqual(["preference-weekly", "preference-launch", "preference-updates", "preference-he"]);
    await expectNoFault(page);
    await page.getByLabel(say.frequency.monthly).check();
    await page.getByLabel(say.topics.updates).uncheck();
    await page.getByRole("button", { name: say.save }).click();
    await eventually(() => expect(answers.waiting).toBe(1));
    expect(await page.locator("#preference-weekly").isDisabled()).toBe(true);
    expect(answers.calls.at(-1)?.body).toEqual({
      token: "t-2",
      language: "he",
      frequency: "monthly",
      topics: ["launch"],
    });
    await answers.answer({
      status: 200,
      body: { ...noa, frequency: "monthly", topics: ["launch"] },
    });
    await page.locator(".notice--success:focus").waitFor();
    expect(await page.locator(".notice--success").innerText()).toBe(say.saved);
    await expectNoFault(page);
    await visitor.leave();
  });

  test("wants a topic, and says so before anything is sent", async () => {
    const { visitor, page, answers } = await loaded();
    await page.getByLabel(say.topics.launch).uncheck();
    await page.getByLabel(say.topics.updates).uncheck();
    await page.getByRole("button", { name: say.save }).click();
    await page.getByText(say.topics.required).waitFor();
    await page.locator("#preference-launch:focus").waitFor();
    await expectNoFault(page);
    expect(answers.waiting).toBe(0);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("the page of preferences, in %s", (language) => {
  const say = texts[language].preferences;
  const path = "/newsletter/preferences?token=t-2";
  const loaded = async (): Promise<Opened> => {
    const opened = await open(language, path);
    await opened.answers.answer({ status: 200, body: noa });
    await opened.page.locator("#preference-weekly").waitFor();
    return opened;
  };

  test("unsubscribes with one press, says so, and links back", async () => {
    const { visitor, page, answers } = await loaded();
    await page.getByRole("button", { name: say.leave.press }).click();
    await answers.answer({ status: 200, body: { status: "unsubscribed" } });
    await page.locator("main h1:focus").waitFor();
    expect(await heading(page)).toBe(say.unsubscribed.title);
    const way = page.getByRole("link", { name: say.unsubscribed.again });
    expect(await way.getAttribute("href")).toBe("/signup");
    await expectNoFault(page);
    await visitor.leave();
  });

  test("says when the token is unknown, and has a new link sent", async () => {
    const { visitor, page, answers } = await open(language, path);
    await answers.answer({ status: 404, body: { code: "token_unknown" } });
    await eventually(async () => expect(await heading(page)).toBe(say.unknown.title));
    await expectNoFault(page);
    const send = page.getByRole("button", { name: say.newLink.send });
    await page.locator("#new-link-email").fill("noa@example");
    await send.click();
    await page.getByText(say.newLink.emailInvalid).waitFor();
    await page.locator("#new-link-email:focus").waitFor();
    await expectNoFault(page);
    await page.locator("#new-link-email").fill(noa.email);
    await send.dblclick();
    await answers.answer({ status: 429, body: { code: "rate_limited" } });
    await page.locator(".notice--error:focus").waitFor();
    expect(await page.locator(".notice--error").innerText()).toBe(say.newLink.tooMany);
    await send.click();
    await answers.answer({ status: 200, body: { status: "link_sent" } });
    await page.locator(".notice--success:focus").waitFor();
    expect(await page.locator(".notice--success").innerText()).toBe(say.newLink.sent);
    await expectNoFault(page);
    expect(answers.calls.slice(1).map(({ body }) => body)).toEqual([
      { email: noa.email },
      { email: noa.email },
    ]);
    await visitor.leave();
  });
});

// What does not depend on the language is shown in one of them.
describe.each(["he"] as const)("a mailed page, in %s", (language) => {
  const { confirm, preferences } = texts[language];

  test("a confirmation that lost its token says so without asking", async () => {
    const { visitor, page, answers } = await open(language, "/newsletter/confirm");
    await eventually(async () => expect(await heading(page)).toBe(confirm.unknown.title));
    expect(await page.getByRole("link", { name: confirm.ways.signup }).getAttribute("href")).toBe(
      "/signup",
    );
    expect(answers.calls).toEqual([]);
    await visitor.leave();
  });

  test("the other language keeps the link", async () => {
    const other = "en";
    const { visitor, page, answers } = await open(language, confirmPath);
    await page.getByRole("button", { name: texts[language].shell.language[other] }).click();
    await page.locator(`html[lang=${other}]`).waitFor();
    await page.getByRole("button", { name: texts[other].confirm.idle.confirm }).click();
    await eventually(() => expect(answers.calls[0]?.body).toEqual({ token: "t-1" }));
    await visitor.leave();
  });

  test("preferences that lost their token offer a new link", async () => {
    const { visitor, page, answers } = await open(language, "/newsletter/preferences");
    await eventually(async () => expect(await heading(page)).toBe(preferences.unknown.title));
    await page.locator("#new-link-email").waitFor();
    expect(answers.calls).toEqual([]);
    await visitor.leave();
  });

  test("preferences without a network say so and try again on request", async () => {
    const { visitor, page, answers } = await open(language, "/newsletter/preferences?token=t-2");
    await answers.cut();
    await page.getByText(preferences.network).waitFor();
    await expectNoFault(page);
    await page.getByRole("button", { name: preferences.again }).click();
    await answers.answer({ status: 200, body: noa });
    await page.locator("#preference-weekly").waitFor();
    await visitor.leave();
  });
});

describe.each(["en", "he"] as const)("the page that answers plain forms, in %s", (language) => {
  // The sections differ only in their texts: half of them in each language.
  const looked = formAnswers.filter((_, index) => index % 2 === (language === "en" ? 0 : 1));

  test("shows the one part that its address names, and says something sensible without", async () => {
    const visitor = await stack.visit({ language, javaScriptEnabled: false });
    const { page } = visitor;
    const shown = async (): Promise<string[]> => {
      const parts = page.locator(".answer__section");
      const visible = await parts.evaluateAll((all) =>
        all.filter((part) => part.checkVisibility()).map(({ id }) => id),
      );
      return visible;
    };
    await page.goto("/answer");
    expect(await shown()).toEqual([""]);
    for (const id of looked) {
      await page.goto("about:blank");
      await page.goto(`/answer#${id}`);
      expect(await shown()).toEqual([id]);
      expect(await page.locator(`#${id} :is(a, p)`).count()).toBeGreaterThan(1);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    }
    await visitor.leave();
  });

  test("has no fault in any of its parts", async () => {
    const { visitor, page } = await open(language, `/answer#${looked[0]}`);
    await expectNoFault(page);
    await page.setViewportSize({ width: 320, height: 800 });
    for (const id of looked) {
      await page.evaluate((hash) => location.assign(hash), `#${id}`);
      await page.locator(`#${id}`).waitFor();
      expect([id, ...(await overflowFaults(page)), ...(await targetFaults(page))]).toEqual([id]);
    }
    await visitor.leave();
  });
});
