import { privacyFormLimits } from "@pro-talent/schemas/privacy/form";
import type { HeldSection } from "@pro-talent/schemas/privacy/held-data";

import { type CommandContext, runCommand } from "../../../kernel/commands.ts";
import { inTurn } from "../../../kernel/in-turn.ts";
import type { LedgerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import type { PrivacyCommand } from "../decider.ts";
import { packageCodeEnd } from "../form-state.decider.ts";
import type { Recordable } from "../guards.decider.ts";
import { privacyRequests } from "../requests.ts";
import type { KnownRequest } from "../state.decider.ts";
import { isCode } from "./proofs.ts";
import { mailboxOf, senderOf } from "./sender.ts";

export type CodeResult = "right" | "wrong" | "ended";

type Guess = { readonly requestId: string; readonly code: string };

/**
 * Judges a code, one after the other for each request, so that no more are judged than are permitted however
 * many arrive at once. A right code is not recorded here: what it permits is.
 */
async function judged(
  context: LedgerContext,
  { requestId, code }: Guess,
  waits: (state: KnownRequest) => boolean,
  { why, accept }: { readonly why: CommandContext; readonly accept: () => Promise<CodeResult> },
): Promise<CodeResult> {
  const { sql } = context.ledger;
  return await inTurn(sql, `privacy code of ${requestId}`, async () => {
    const { state } = await loadState(sql, privacyRequests, requestId);
    if (state.status === "none" || !waits(state)) return "ended";
    const { number } = state.codes;
    if (isCode(context, { requestId, number, code })) return await accept();
    const failed = await record(context, requestId, { type: "IdentityFailed", data: {} }, why);
    return failed ? "wrong" : "ended";
  });
}

/** Verifies that the sender of a form reads the mailbox that it names. */
export async function verifyCode(
  context: LedgerContext,
  guess: Guess,
  why: CommandContext,
): Promise<CodeResult> {
  const waits = ({ status, relation }: KnownRequest) => status === "received" && relation !== null;
  const accept = async (): Promise<CodeResult> => {
    const fact = { type: "IdentityVerified", data: { method: "mailed-code" } } as const;
    return (await record(context, guess.requestId, fact, why)) ? "right" : "ended";
  };
  return await judged(context, guess, waits, { why, accept });
}

/** Judges the code that opens a package, and does `open` when it is right: the code is used by it. */
export async function openByCode(
  context: LedgerContext,
  guess: Guess,
  { why, open }: { readonly why: CommandContext; readonly open: () => Promise<void> },
): Promise<CodeResult> {
  const waits = (state: KnownRequest) => {
    const end = packageCodeEnd(state);
    const isPermitted = state.codes.failed < privacyFormLimits.attemptsMax;
    return state.status === "ready" && isPermitted && end !== null && why.now < end;
  };
  const accept = async (): Promise<CodeResult> => {
    await open();
    return "right";
  };
  return await judged(context, guess, waits, { why, accept });
}

/** @returns whether it was recorded */
async function record(
  { ledger }: LedgerContext,
  id: string,
  fact: Recordable,
  why: CommandContext,
): Promise<boolean> {
  const command: PrivacyCommand = { type: "Record", fact };
  const result = await runCommand(ledger, privacyRequests, { ...why, id, command, body: command });
  return result.kind === "answer";
}

/** Asks the accounts service. */
/** Until it is known, again and again. */
export const identifyHandler =
  (context: LedgerContext, parts: IdentifyParts): TimerHandler =>
  (id, why) =>
    identify(context, parts, id, why);

/** What shows whose data a verified form is about. */
export type IdentifyParts = {
  /** The account with this address, if there is one. */
  readonly accountOf: (email: string) => Promise<string | null>;
  /** What is held about a mailbox. @throws when a store does not answer */
  readonly heldAbout: (email: string) => Promise<readonly HeldSection[]>;
};

/**
 * Finds out whether a verified form is about an account, and whether anything is held about its mailbox. Of
 * another person the sender learns nothing: a request about a stranger must not show whether they are known.
 */
export async function identify(
  context: LedgerContext,
  { accountOf, heldAbout }: IdentifyParts,
  id: string,
  why: CommandContext,
): Promise<void> {
  const { state } = await loadState(context.ledger.sql, privacyRequests, id);
  if (state.status !== "verified" || state.relation === null || state.identified) return;
  const sender = await senderOf(context, id);
  if (sender === undefined) throw new Error("The form is destroyed before it is decided");
  const mailbox = mailboxOf(sender);
  const accountId = state.relation === "mailbox" ? null : await accountOf(mailbox);
  const isEmpty =
    state.relation !== "authorised" &&
    accountId === null &&
    (await heldAbout(mailbox)).length === 0;
  const fact: Recordable = isEmpty
    ? { type: "NothingHeld", data: {} }
    : { type: "SubjectIdentified", data: { accountId } };
  await record(context, id, fact, why);
}
