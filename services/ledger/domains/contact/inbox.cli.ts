import { openPool } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { findOwnerUrl } from "../owner-url.ts";
import { openSubjects } from "../subjects/subjects.ts";
import { readInboxEnv } from "./env.ts";
import { findSubjectKeys } from "./find-subject-keys.ts";
import { type InboxEntry, messagesWith, newestMessages } from "./read-inbox.ts";
import { typedReference } from "./reference.ts";
import { settleMatter } from "./settle-matter.ts";
import { showInList, showWhole } from "./show-inbox.ts";

/**
 * `npm run inbox`: the newest messages of the contact form; `-- --all` all of them; `-- PT-XXXX-XXXX`
 * one as a whole; `-- settle PT-XXXX-XXXX` ends its matter, after which the letter is erased. Ends
 * with 1 when there is no such message.
 */
const shownAtOnce = 20;
const everything = 1_000_000;
const write = (text: string): boolean => process.stdout.write(`${text}\n`);

const [argument, ...others] = process.argv.slice(2);
const env = readInboxEnv();
const sql = openPool(await findOwnerUrl(env), { max: 1, applicationName: "contact-inbox" });
const stores = { sql, subjects: openSubjects(sql, await findSubjectKeys(env)) };

async function list(most: number): Promise<number> {
  const entries = await newestMessages(stores, most + 1);
  for (const entry of entries.slice(0, most)) write(showInList(entry));
  if (entries.length === 0) write("Nobody has written yet.");
  if (entries.length > most) write("There are older ones: npm run inbox -- --all");
  return 0;
}

async function find(typed: string): Promise<readonly InboxEntry[]> {
  const reference = typedReference(typed);
  const entries = reference === undefined ? [] : await messagesWith(stores, reference);
  if (entries.length === 0)
    write("There is no message with this reference. A reference looks like PT-7K2M-9XQD.");
  return entries;
}

async function showOne(typed: string): Promise<number> {
  const entries = await find(typed);
  for (const entry of entries) write(showWhole(entry));
  return entries.length > 0 ? 0 : 1;
}

async function settle(typed: string): Promise<number> {
  const entries = await find(typed);
  for (const { messageId, fact } of entries) {
    const outcome = await settleMatter({ sql }, messageId, instantFromMs(Date.now()));
    if (outcome.kind === "refusal") throw new Error(outcome.code);
    write(
      outcome.how === "quiet"
        ? `${fact.reference} was settled before.`
        : `${fact.reference} is settled. Its letter is erased as soon as the platform runs.`,
    );
  }
  return entries.length > 0 ? 0 : 1;
}

try {
  const [typed] = others;
  if (argument === "settle" && typed !== undefined && others.length === 1) {
    process.exitCode = await settle(typed);
  } else if (others.length > 0) {
    write("One reference, settle and one reference, --all, or nothing.");
    process.exitCode = 1;
  } else if (argument === undefined || argument === "--all") {
    process.exitCode = await list(argument === undefined ? shownAtOnce : everything);
  } else {
    process.exitCode = await showOne(argument);
  }
} finally {
  await sql.end();
}
