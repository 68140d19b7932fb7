import { parseArgs } from "node:util";

import { shortened } from "@pro-talent/platform/mail/text-safety";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { operatorName, printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { catchUp, followerOf } from "../../kernel/follow.ts";
import { findKeyring, operatorCause, withDatabaseAs } from "../../kernel/operator.ts";
import { openSubjects } from "../../kernel/subjects.ts";
import { rearmErasure, settleMatter } from "./contact-messages.ts";
import { contactInbox, type InboxEntry, messagesWith, readInbox } from "./inbox.read-model.ts";
import { typedReference } from "./reference.ts";
import { showHidden, showHiddenInLines } from "./show-hidden.ts";

/**
 * `npm run inbox`: the newest contact messages; `-- --all` all of them; `-- PT-XXXX-XXXX` one as a
 * whole; `-- settle PT-XXXX-XXXX` settles its matter, after which its details are erased. Ends with 1
 * when there is no such message. Each message that is shown is recorded with the operator's name.
 */
const usage = "One reference, settle and one reference, --all, or nothing.";
const shownAtOnce = 20;
const everything = 1_000_000;
const unknown = "There is no message with this reference. A reference looks like PT-7K2M-9XQD.";

type Stores = Parameters<typeof readInbox>[0];

async function list(stores: Stores, most: number): Promise<number> {
  const entries = await readInbox(stores, { most: most + 1, operator: operatorName() });
  for (const entry of entries.slice(0, most)) printLine(showInList(entry));
  if (entries.length === 0) printLine("There are no messages yet.");
  if (entries.length > most) printLine("There are older ones: npm run inbox -- --all");
  return 0;
}

async function showOne(stores: Stores, typed: string): Promise<number> {
  const reference = typedReference(typed);
  const reading = { most: everything, operator: operatorName() };
  const entries = reference === undefined ? [] : await readInbox(stores, { reference, ...reading });
  if (entries.length === 0) printLine(unknown);
  for (const entry of entries) printLine(showWhole(entry));
  return entries.length > 0 ? 0 : 1;
}

async function settle(sql: Sql, typed: string): Promise<number> {
  await catchUp(followerOf(sql, contactInbox));
  const reference = typedReference(typed);
  const found = reference === undefined ? [] : await messagesWith(sql, reference);
  if (found.length === 0) printLine(unknown);
  for (const messageId of found) {
    const ledger = { sql, readModels: [contactInbox] };
    const now = instantFromMs(Date.now());
    const result = await settleMatter(ledger, messageId, { now, cause: operatorCause() });
    if (result.kind === "refusal") throw new Error(result.code);
    const outcome = result.how === "unchanged" ? await rearmErasure(sql, messageId) : "due";
    const settled = result.how === "unchanged" ? "was settled before" : "is settled";
    printLine(`${reference} ${settled}. ${erasures[outcome]}`);
  }
  return found.length > 0 ? 0 : 1;
}

const erasures = {
  due: "Its details are erased as soon as the platform runs.",
  rearmed: "The erasure of its details was missing; it is due now, as soon as the platform runs.",
  done: "Its details are erased.",
} as const;

const erased = "(erased)";
const lineCharsMax = 100;

/** A message in two lines. */
function showInList({ receivedAt, fact, details }: InboxEntry): string {
  const head = `${fact.reference}  ${shownTime(receivedAt)}  ${fact.category}`;
  if (details === undefined) return `${head}  ${erased}`;
  const from = `${showHidden(details.name)} <${showHidden(details.email)}>`;
  const [first = ""] = showHiddenInLines(details.message).split("\n", 1);
  const subject = details.subject === fact.category ? "" : `${showHidden(details.subject)}: `;
  return `${head}  ${from}\n    ${shortened(subject + first, lineCharsMax)}`;
}

/** A message with everything that belongs to it. */
function showWhole({ receivedAt, fact, details }: InboxEntry): string {
  const facts = [
    ["Reference", fact.reference],
    ["Received", shownTime(receivedAt)],
    ["Category", fact.category],
    ["Language", fact.language],
    ["Acknowledged", fact.acknowledged ? "yes" : "no"],
    ["Suspected", fact.suspected ? "yes, sent faster than people type" : "no"],
    ...(details === undefined
      ? []
      : [
          ["Name", showHidden(details.name)],
          ["Address", showHidden(details.email)],
          ["Subject", showHidden(details.subject)],
        ]),
  ];
  const lines = facts.map(([term = "", value = ""]) => `${term.padEnd(14)}${value}`);
  const text = details === undefined ? erased : showHiddenInLines(details.message);
  return [...lines, "", text].join("\n");
}

function shownTime(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

async function inbox(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { all: { type: "boolean", default: false } },
  });
  const [first, second] = positionals;
  const options = { applicationName: "contact-inbox" };
  if (first === "settle" && second !== undefined && positionals.length === 2) {
    return withDatabaseAs("ledger_operator", process.env, options, (sql) => settle(sql, second));
  }
  if (second !== undefined || (first !== undefined && values.all)) {
    printLine(usage);
    return 1;
  }
  return withDatabaseAs("ledger_inbox", process.env, options, async (sql) => {
    const stores = { sql, subjects: openSubjects(sql, await findKeyring(process.env, sql)) };
    return first === undefined
      ? list(stores, values.all ? everything : shownAtOnce)
      : showOne(stores, first);
  });
}

await runCommand(inbox);
