import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { type Demo, readDemo } from "../../../infra/embedded/demo-world.ts";
import { signInAs } from "../demo-sign-in.ts";
import { type OwnStack, startOwnStack } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** An analyst's queries through the whole product, to the engine and back. */
let stack: OwnStack;
let demo: Demo;
beforeAll(async () => {
  stack = await startOwnStack();
  await stack.operate("infra/embedded/demo.cli.ts");
  const made = await readDemo(stack.dataDir);
  if (made === undefined) throw new Error("There is no demo");
  demo = made;
}, 240_000);
afterAll(() => stack.stop());

const slow =
  "SELECT count() FROM numbers(9000000) AS a, numbers(9000000) AS b WHERE a.number + b.number = 1";
const running = () =>
  stack.ask(
    "SELECT count() FROM system.processes WHERE position(query, concat('9000', '000')) > 0",
  );
const becomes = (count: string) =>
  vi.waitFor(async () => expect(await running()).toBe(count), { timeout: 15_000, interval: 50 });

test("a query is answered by the engine with its types, a wrong one is marked, and a long one ends in the engine when it is cancelled", async () => {
  const { analyst: t } = texts.en;
  const { page, noise, leave } = await stack.visit({ language: "en" });
  await signInAs(page, demo, "analyst");
  await page.goto("/console/analyst");
  const editor = page.locator(".sql-editor .cm-content");
  const write = async (text: string): Promise<void> => {
    await editor.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
    await page.keyboard.press("Control+Enter");
  };
  await write("SELECT number AS n, toString(number) AS word FROM numbers(20000) ORDER BY n");
  const grid = page.getByRole("grid");
  await grid.getByText("12", { exact: true }).first().waitFor();
  expect(await grid.getAttribute("aria-rowcount")).toBe("20001");
  await grid.focus();
  await page.keyboard.press("Control+End");
  await grid.getByText("19999", { exact: true }).first().waitFor();

  await write("SELECT channels FROM sessions");
  await page.getByText(t.failed.query_wrong).waitFor();
  await page.locator(".sql-editor .cm-lintRange-error").getByText("channels").waitFor();

  await write(slow);
  await becomes("1");
  await page.keyboard.press("Escape");
  await page.getByText(t.run.cancelled).waitFor();
  await becomes("0");

  const download = page.waitForEvent("download");
  await write("SELECT number FROM numbers(10)");
  await page
    .getByRole("button", { name: t.export.as.replace("{{kind}}", "Parquet") })
    .press("Enter");
  expect((await download).suggestedFilename()).toBe("query.parquet");
  expect(noise.filter((line) => !line.includes("Failed to load resource"))).toEqual([]);
  await leave();
});
