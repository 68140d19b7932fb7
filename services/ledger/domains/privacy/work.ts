import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import type { RequestStatus } from "@pro-talent/schemas/privacy/transitions";

import type { Sealed } from "../../kernel/append.ts";
import { type CommandContext, runCommand } from "../../kernel/commands.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandler } from "../../kernel/timers.ts";
import type { PrivacyCommand } from "./decider.ts";
import type { Recordable } from "./guards.decider.ts";
import { privacyRequests } from "./requests.ts";

/**
 * Records what the worker has done about a request.
 * @param fact with personal data that is sealed with it
 * @throws Error when the fact is refused: the request is in another state by now
 */
export async function recordWork(
  { ledger }: Pick<LedgerContext, "ledger">,
  id: string,
  { sealed, ...fact }: Recordable & { readonly sealed?: Sealed },
  why: CommandContext,
): Promise<void> {
  const command: PrivacyCommand = { type: "Record", fact };
  const type: PrivacyEvent["type"] = fact.type;
  const result = await runCommand(ledger, privacyRequests, {
    ...why,
    id,
    command,
    body: command,
    ...(sealed && { sealed: { ...sealed, type } }),
  });
  if (result.kind === "refusal") throw new Error(`${fact.type} is refused: ${result.code}`);
}

/** Logs why a step failed, as what is recorded about it names no cause. */
export const logFailure =
  ({ log }: Pick<LedgerContext, "log">, step: string) =>
  (error: unknown): undefined => {
    log.warn({ err: error, step }, "a step of a privacy request failed");
  };

/** The work on a request, by where it stands. */
export function workHandler(
  { ledger }: Pick<LedgerContext, "ledger">,
  handlers: Partial<Readonly<Record<RequestStatus, TimerHandler>>>,
): TimerHandler {
  return async (id, why) => {
    const { state } = await loadState(ledger.sql, privacyRequests, id);
    await handlers[state.status]?.(id, why);
  };
}
