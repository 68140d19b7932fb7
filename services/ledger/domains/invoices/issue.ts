import { type Buyer, ShekelRate } from "@pro-talent/schemas/invoices/document";
import type { InvoiceState, OwedDocument } from "@pro-talent/schemas/invoices/events";
import { Day, dayIn } from "@pro-talent/schemas/primitives/calendar";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import { v5 as uuidV5 } from "uuid";
import { z } from "zod";

import { type Contact, contactsOver } from "../../contacts.ts";
import { type CommandContext, runCommand } from "../../kernel/commands.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import { documentFacts } from "./document-facts.ts";
import { buyerOf, commandInvoice, invoiceBuyer, invoices } from "./invoices.ts";
import { series } from "./series/series.ts";
import { type InvoiceSettings, seriesOf } from "./settings.ts";

type Context = Pick<LedgerContext, "ledger" | "subjects" | "accounts">;

/** Namespace of the ids of issues: drawn at random once, fixed for ever. */
const issueNamespace = "0d7b5a86-6c0a-4a43-9a5e-30f7b6f0f0c9";

/**
 * Issues the documents that a payment owes, in their order: the buyer is sealed, the series gives the
 * number, the payment's stream records it. Each step may be repeated after a crash: the second changes
 * nothing, and the id of the series' command follows from the document.
 * @throws when the accounts service does not answer, or the shekel rate is missing
 */
export async function issueOwed(
  context: Context,
  settings: InvoiceSettings,
  charge: string,
  issued: CommandContext,
): Promise<void> {
  for (;;) {
    const { state } = await loadState(context.ledger.sql, invoices, charge);
    const [owed] = state.owed;
    if (owed === undefined) return;
    if (owed.stated === null) await stateBuyer(context, { charge, state, owed }, issued);
    else await issueOne(context, settings, { charge, state, owed }, issued);
  }
}

type Work = {
  readonly charge: string;
  readonly state: InvoiceState;
  readonly owed: OwedDocument;
};

/** Once an account is gone, its documents state what the last one of the payment stated. */
async function stateBuyer(
  context: Context,
  { charge, state, owed }: Work,
  issued: CommandContext,
): Promise<void> {
  const { ledger } = context;
  const { document } = owed;
  const contact = await contactsOver(context.accounts)(accountOf(state));
  const language = contact?.language ?? Locale.enum.en;
  const sealed = state.erasedAt === null ? await sealBuyer(context, charge, contact) : undefined;
  const known = sealed !== undefined;
  const command = { type: "StateBuyer", document, language, known } as const;
  const result = await runCommand(ledger, invoices, {
    ...issued,
    id: charge,
    command,
    body: { type: command.type, document },
    ...(sealed && { sealed: { type: "BuyerStated", ...sealed } }),
  });
  if (result.kind === "refusal") throw new Error(`The buyer is not stated: ${result.code}`);
}

async function sealBuyer(context: Context, charge: string, contact: Contact | undefined) {
  const { subjects } = context;
  if (contact !== undefined) {
    const buyer: Buyer = { name: contact.fullName, address: contact.address };
    return (await subjects.ofOccasion(invoiceBuyer, charge, contact.email)).seal(buyer);
  }
  const former = await buyerOf(context, charge, null);
  const subject = former === null ? undefined : await subjects.find(charge);
  return former === null ? undefined : subject?.seal(former);
}

/** What the series answered, now or when the document was issued before. */
const Issue = z.object({ label: z.string(), issuedOn: Day, rate: ShekelRate.nullable() });

async function issueOne(
  { ledger }: Context,
  settings: InvoiceSettings,
  { charge, state, owed }: Work,
  { now, cause }: CommandContext,
): Promise<void> {
  const { document, kind, stated } = owed;
  const { terms, invoice } = state;
  if (terms === null) throw new Error("The payment has no terms");
  const on = dayIn(now, settings.zone);
  const { id, prefix } = seriesOf(settings.series, kind, on);
  const payment = { charge, account: accountOf(state), terms, invoice };
  const facts = documentFacts(payment, owed, { language: stated ?? "en", settings });
  const result = await runCommand(ledger, series, {
    id,
    command: { type: "IssueDocument", facts, on, prefix },
    commandId: uuidV5(document, issueNamespace),
    body: { type: "IssueDocument", document },
    now,
    cause,
  });
  if (result.kind === "refusal") throw new Error(`No document is issued: ${result.code}`);
  const number = Issue.parse(JSON.parse(result.reply));
  const record = { type: "RecordIssue", document, ...number } as const;
  await commandInvoice(ledger, charge, record, { now, cause });
}

function accountOf({ account }: InvoiceState): string {
  if (account === null) throw new Error("The payment has no account");
  return account;
}
