import { afterAll, beforeAll, expect, test } from "vitest";

import { type Stack } from "../fixtures.ts";
import { startStack } from "../products.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

test("a button that is pressed before the application has started takes effect once it has", async () => {
  const visitor = await stack.visit();
  const { page } = visitor;
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route("**/assets/main-*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/cookie-policy");
  await page.getByRole("main").getByRole("button").first().click();
  expect(await page.getByRole("dialog").count()).toBe(0);
  release(undefined);
  await page.getByRole("dialog").waitFor();
  await visitor.leave();
});

test.each(["libraries", "main", "shell"])(
  "a hint makes the browser compile %s beside the page",
  async (name) => {
    const visitor = await stack.visit();
    const { page } = visitor;
    const answer = page.waitForResponse((response) =>
      new RegExp(`/assets/${name}-.*\\.js$`).test(response.url()),
    );
    await page.goto("/about");
    const code = await (await answer).text();
    // The hint works only at the very beginning.
    expect(code.startsWith("//# allFunctionsCalledOnLoad\n")).toBe(true);
    await visitor.leave();
  },
);

test("sections that the document holds come without their code, and return in any language", async () => {
  const visitor = await stack.visit();
  const { page } = visitor;
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  const code = (): string[] => fetched.filter((path) => /home-(sections|story)-.*\.js$/.test(path));
  const section = (language: "en" | "he") =>
    page.getByRole("heading", { name: texts[language].homeStory.promise.title });

  await visitor.open("/");
  await section("en").waitFor();
  expect(code()).toEqual([]);
  await page.getByRole("button", { name: texts.en.shell.language.he }).click();
  await section("he").waitFor();
  expect(code()).not.toEqual([]);
  await page.getByRole("button", { name: texts.he.shell.language.en }).click();
  await section("en").waitFor();
  await page.locator("footer a[href='/about']").first().click();
  await section("en").waitFor({ state: "detached" });
  await page.goBack();
  await section("en").waitFor();
  expect(visitor.noise).toEqual([]);
  await visitor.leave();
});
