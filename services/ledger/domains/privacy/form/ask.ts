import { randomUUID } from "node:crypto";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { PrivacyFormRequest } from "@pro-talent/schemas/privacy/form-calls";
import { v5 as uuidV5 } from "uuid";

import { type CommandContext, runCommand } from "../../../kernel/commands.ts";
import { inTurn } from "../../../kernel/in-turn.ts";
import type { LedgerContext } from "../../../kernel/module.ts";
import { requester } from "../../../restriction.ts";
import type { PrivacyCommand } from "../decider.ts";
import { requestsNamed } from "../read-models.ts";
import { privacyRequests } from "../requests.ts";
import type { Sender } from "./sender.ts";

/** Namespace of the ids of forms: drawn at random once, fixed for ever. */
const formNamespace = "0d6c1f5e-8a37-4f0b-b0e5-2f6a9c3d7e18";

type Asked = PrivacyFormRequest & { readonly language: Locale };

/**
 * Receives a form. Nothing is looked up about the address but earlier forms of the same kind, so that the
 * answer, its time and the mail are the same whether the address is known or not. An open request of the same
 * kind is not asked a second time: its sender gets a new code, or its link.
 */
export async function receiveForm(
  context: LedgerContext,
  asked: Asked,
  why: CommandContext,
): Promise<void> {
  const { ledger, mailboxes, subjects } = context;
  const { email, type: requestType, relation } = asked;
  const turn = `privacy forms of ${mailboxes.hashOf(email).toString("hex")}`;
  await inTurn(ledger.sql, turn, async () => {
    const known = await requestsNamed(ledger.sql, await subjects.idsOfAddress(requester, email));
    const twin = known.find(
      (row) => row.relation === relation && row.type === requestType && row.outcome === null,
    );
    if (twin !== undefined) return await askAgain(context, twin.requestId, why);
    const { commandId } = why;
    const id = commandId === undefined ? randomUUID() : uuidV5(commandId, formNamespace);
    const subject = await subjects.ofOccasion(requester, id, email);
    const command: PrivacyCommand = { type: "ReceiveForm", requestType, relation };
    const sealed = { ...subject.seal(contentsOf(asked)), type: "RequestReceived" as const };
    await runCommand(ledger, privacyRequests, { ...why, id, command, body: command, sealed });
  });
}

/** When enough mails were sent for a day, nothing follows. */
async function askAgain({ ledger }: LedgerContext, id: string, why: CommandContext): Promise<void> {
  const fact = { type: "IdentityChallengeSent", data: {} } as const;
  const command: PrivacyCommand = { type: "Record", fact };
  const again = { ...why, commandId: undefined };
  await runCommand(ledger, privacyRequests, { ...again, id, command, body: command });
}

function contentsOf(asked: Asked): Sender {
  const { email, about, language, text, relation } = asked;
  return {
    email,
    about: relation === "authorised" ? (about ?? null) : null,
    language,
    text,
  };
}
