import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { rightPassword } from "../account-answers.ts";
import { faultsInAllLooks, visitAccount } from "../account-visitor.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";
import { accessToken } from "../token-answers.ts";
import { openedLink, webhookSecrets } from "../webhook-answers.ts";

/** The page about access tokens: the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

// Each in one language: the other direction and theme are looked at beside.
describe.each<Language>(["en"])("in %s", (language) => {
  const { account, api } = texts[language];

  test("an access token is made after a confirmation, shown once, listed and revoked", async () => {
    const visited = await visitAccount(stack, "/account/api", { language });
    const { visitor, page, answers } = visited;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await page.getByText(api.tokens.empty).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);

    await page.locator("[name='links:read']").uncheck();
    await button(api.make.submit).press("Enter");
    for (const fault of [account.errors.nameRequired, api.errors.scopeRequired])
      await page.locator(".field__error", { hasText: fault }).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);

    answers.stepUpDue = true;
    await page.locator("[name=name]").fill("Spreadsheet גיליון");
    await page.getByLabel(api.scopes.opens, { exact: true }).check();
    await page.locator("[name=days]").selectOption("30");
    await button(api.make.submit).press("Enter");
    await page.getByRole("dialog").locator("[name=password]").fill(rightPassword);
    await page.getByRole("dialog").locator("[name=password]").press("Enter");
    await page.getByRole("heading", { name: api.made.title }).waitFor();
    await page.getByText(accessToken, { exact: true }).waitFor();
    expect(answers.bodies.get("POST /api/account/tokens")).toEqual({
      name: "Spreadsheet גיליון",
      scopes: ["opens:read"],
      days: 30,
    });
    expect(await faultsInAllLooks(page)).toEqual([]);

    await button(api.made.done).press("Enter");
    await page.getByText(accessToken, { exact: true }).waitFor({ state: "detached" });
    await page.getByText(api.tokens.never).waitFor();
    await page.locator(".settings__tag", { hasText: api.scopes.opens }).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);

    const name = api.tokens.revokeOf.replace("{{name}}", "Spreadsheet גיליון");
    await button(name).press("Enter");
    expect(await faultsInAllLooks(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: api.tokens.revoke }).press("Enter");
    await page.getByText(api.tokens.empty).waitFor();
    expect(answers.tokens.held).toEqual([]);
    expect(visitor.noise.filter((line) => !line.includes("403"))).toEqual([]);
    await visitor.leave();
  });

  test("a list that cannot be loaded is asked for again", async () => {
    const visited = await visitAccount(stack, "/account/api", {
      language,
      prepare: ({ instead }) => {
        instead.set("GET /api/account/tokens", { status: 404, body: { code: "not_found" } });
      },
    });
    const { visitor, page, answers } = visited;
    const again = page.getByRole("button", { name: account.view.retry });
    await again.waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    answers.instead.clear();
    await again.press("Enter");
    await page.getByText(api.tokens.empty).waitFor();
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const { account, api } = texts[language];

  test("a webhook is added, tested, resumed after a pause, replayed and deleted", async () => {
    const visited = await visitAccount(stack, "/account/api", { language });
    const { visitor, page, answers } = visited;
    const { webhooks } = api;
    const part = page.locator("section[aria-labelledby=api-webhooks]");
    const button = (name: string) => part.getByRole("button", { name, exact: true });
    const named = (text: string, name: string) => text.replace("{{name}}", name);
    const url = "https://hooks.example.com/opens";
    await part.getByText(webhooks.empty).waitFor();

    await part.locator("[name=url]").fill("http://localhost:8080/");
    await button(webhooks.add.submit).press("Enter");
    await part.locator(".field__error", { hasText: account.errors.urlInvalid }).waitFor();
    await part.locator("[name=url]").fill(url);
    await button(webhooks.add.submit).press("Enter");
    const [first = "", second = ""] = webhookSecrets;
    await part.getByText(first, { exact: true }).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    await button(webhooks.made.done).press("Enter");
    await part.getByText(first, { exact: true }).waitFor({ state: "detached" });

    await button(named(webhooks.actions.testOf, url)).press("Enter");
    await part.locator("summary").press("Enter");
    await part.locator(".webhook__state--delivered").waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);

    answers.webhooks.fail();
    await page.reload();
    await part.getByText(webhooks.paused.failing.slice(-30)).waitFor();
    await part.locator("summary").press("Enter");
    await part.getByText(openedLink).waitFor();
    await part.locator(".webhook__state--failed").waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    const [resume, replay] = [
      button(named(webhooks.actions.resumeOf, url)),
      button(named(webhooks.actions.replayOf, openedLink)),
    ];
    answers.webhooks.included = false;
    await page.reload();
    await part.getByText(webhooks.notIncludedBody).waitFor();
    await part.locator("summary").press("Enter");
    await part.getByText(openedLink).waitFor();
    expect([await resume.count(), await replay.count()]).toEqual([0, 0]);
    expect(await part.getByText(webhooks.paused.failing.slice(-30)).count()).toBe(0);
    expect(await faultsInAllLooks(page)).toEqual([]);
    answers.webhooks.included = true;
    await page.reload();
    await part.locator("summary").press("Enter");
    await resume.press("Enter");
    await button(named(webhooks.actions.testOf, url)).waitFor();
    await replay.press("Enter");
    await part.locator(".webhook__state--delivered").waitFor();

    const dialog = page.getByRole("dialog");
    await button(named(webhooks.actions.secretOf, url)).press("Enter");
    await dialog.getByRole("button", { name: webhooks.actions.secret }).press("Enter");
    await part.getByText(second, { exact: true }).waitFor();
    await button(webhooks.made.done).press("Enter");
    await button(named(webhooks.actions.removeOf, url)).press("Enter");
    await dialog.getByRole("button", { name: webhooks.actions.remove, exact: true }).press("Enter");
    await part.getByText(webhooks.empty).waitFor();
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("webhooks say that another plan has them, or that they cannot be loaded", async () => {
    const visited = await visitAccount(stack, "/account/api", {
      language,
      prepare: ({ webhooks }) => {
        webhooks.included = false;
      },
    });
    const { visitor, page, answers } = visited;
    const part = page.locator("section[aria-labelledby=api-webhooks]");
    await part.getByText(api.webhooks.notIncluded).waitFor();
    expect(await part.locator("[name=url]").count()).toBe(0);
    expect(await faultsInAllLooks(page)).toEqual([]);
    answers.webhooks.instead = 404;
    await page.reload();
    await part.getByText(account.view.failed).first().waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    await visitor.leave();
  });
});
