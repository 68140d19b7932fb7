import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { accessToken, rightPassword } from "../account-answers.ts";
import { faultsAtWidths, visitAccount } from "../account-visitor.ts";
import { type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** The page about access tokens: the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

describe.each(["en", "he"] as const)("in %s", (language) => {
  const { account, api } = texts[language];

  test("an access token is made after a confirmation, shown once, listed and revoked", async () => {
    const colorScheme = language === "en" ? "light" : "dark";
    const visited = await visitAccount(stack, "/account/api", { language, colorScheme });
    const { visitor, page, answers } = visited;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await page.getByText(api.tokens.empty).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);

    await page.locator("[name='links:read']").uncheck();
    await button(api.make.submit).press("Enter");
    for (const fault of [account.errors.nameRequired, account.errors.scopeRequired])
      await page.locator(".field__error", { hasText: fault }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);

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
    expect(await faultsAtWidths(page)).toEqual([]);

    await button(api.made.done).press("Enter");
    await page.getByText(accessToken, { exact: true }).waitFor({ state: "detached" });
    await page.getByText(api.tokens.never).waitFor();
    await page.locator(".settings__tag", { hasText: api.scopes.opens }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);

    const name = api.tokens.revokeOf.replace("{{name}}", "Spreadsheet גיליון");
    await button(name).press("Enter");
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: api.tokens.revoke }).press("Enter");
    await page.getByText(api.tokens.empty).waitFor();
    expect(answers.tokens).toEqual([]);
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
    expect(await faultsAtWidths(page)).toEqual([]);
    answers.instead.clear();
    await again.press("Enter");
    await page.getByText(api.tokens.empty).waitFor();
    await visitor.leave();
  });
});
