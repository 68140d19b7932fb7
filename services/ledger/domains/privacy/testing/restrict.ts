import { randomUUID } from "node:crypto";

import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { expect } from "vitest";

import { runCommand } from "../../../kernel/commands.ts";
import { testCause, type TestLedger } from "../../../testing/create-test-ledger.ts";
import type { PrivacyCommand } from "../decider.ts";
import { privacyRequests } from "../requests.ts";
import * as facts from "./facts.ts";

/**
 * Schedules the deletion of an account, which restricts it.
 * @returns what cancels it
 */
export async function restrict(
  { ledger }: Pick<TestLedger, "ledger">,
  accountId: string,
  now: () => Instant,
  id = randomUUID(),
): Promise<() => Promise<void>> {
  const issue = async (command: PrivacyCommand) => {
    const issued = { id, command, body: command, now: now(), cause: testCause() };
    expect(await runCommand(ledger, privacyRequests, issued)).toMatchObject({ kind: "answer" });
  };
  await issue({
    type: "ReceiveRequest",
    requestType: "delete",
    accountId,
    identity: "step-up",
  });
  return () => issue(facts.records(facts.cancelled));
}
