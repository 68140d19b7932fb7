import { asRole } from "@pro-talent/platform/testing/engines";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestLedger, type TestLedger } from "./testing/create-test-ledger.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

const program = new URL("mailbox.cli.ts", import.meta.url);
const environment = () => ({
  DATABASE_OPERATOR_URL: asRole(ledger.ownerUrl, "ledger_operator"),
  ...ledger.testKeys.environment,
});

async function mailbox(...args: readonly string[]) {
  const { code, output } = await runHere(program, args, environment());
  return [code, output.trim()];
}

test("an operator puts a mailbox on the list that the service reads, and takes it off", async () => {
  const admit = () => ledger.mailboxes.admit("noa@example.com", undefined);
  expect(await mailbox("check", "noa@example.com")).toEqual([1, "It is not on the list."]);
  expect(await mailbox("block", "Noa+news@example.com")).toEqual([0, "It is on the list now."]);
  expect(await admit()).toBe("do_not_mail");
  expect(await mailbox("check", "noa@example.com")).toEqual([
    0,
    expect.stringMatching(/^On the list since 2\S+Z: operator$/),
  ]);
  expect(await mailbox("release", "noa@example.com")).toEqual([
    0,
    "It is not on the list any more.",
  ]);
  expect(await admit()).toBe("admitted");
  const again = await runProgram(program, ["release", "noa@example.com"], environment());
  expect(again).toMatchObject({ code: 1, output: "It was not on the list.\n" });
});

test("what is no address, or no command, is refused", async () => {
  for (const args of [["check"], ["check", "noa"], ["forget", "noa@example.com"]]) {
    expect(await mailbox(...args)).toEqual([1, expect.stringMatching(/^Use: check/)]);
  }
});
