import { afterAll, beforeAll, expect, test } from "vitest";

import { type Stack, startStack } from "../fixtures.ts";

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

test.each(["libraries", "main"])(
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
