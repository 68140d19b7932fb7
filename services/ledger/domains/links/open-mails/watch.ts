import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";

import type { ContactOf } from "../../../contacts.ts";
import type { LedgerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import { includesOpens } from "../../../plans-in-use.ts";
import { isRestricted } from "../../../restriction.ts";
import { isDigest, type OpenMailCommand } from "./decider.ts";
import { lastDue, nextDigest } from "./digest-times.ts";
import { commandMails, digestAccounts, openMails, serviceCause } from "./open-mails.ts";
import type { OpensSource } from "./opens-source.ts";

const minuteMs = 60_000;
/** An open of a page counts once the page confirms it, a little later. */
const confirmedMs = 15 * minuteMs;
/** First opens that were longer ago are not mailed any more, for example before there were such mails. */
const firstOpenMs = 7 * 24 * 60 * minuteMs;
const ever = instantFromMs(0);

export type WatchParts = {
  readonly context: Pick<LedgerContext, "ledger" | "clock">;
  readonly opens: OpensSource;
  readonly contactOf: ContactOf;
};

/**
 * Requests the mails that are due, whenever it is called. What is kept between two calls only saves
 * questions: after a restart, or days without an answer, the same mails are requested, each once.
 * @returns a call that throws the first error, after all accounts were looked at
 */
export function watchOpens(parts: WatchParts): () => Promise<void> {
  const lookFirst = firstOpenLook(parts);
  const lookDigests = digestLook(parts);
  return async () => {
    const now = instantFromMs(parts.context.clock());
    const results = await Promise.allSettled([lookFirst(now), lookDigests(now)]);
    for (const result of results) if (result.status === "rejected") throw result.reason;
  };
}

/** One question names the accounts with new opens; the others are not looked at. */
function firstOpenLook({ context, opens }: WatchParts) {
  let lookedUntil = ever;
  return async (now: Instant): Promise<void> => {
    const oldest = instantPlus(now, -firstOpenMs);
    const confirmed = lookedUntil === ever ? ever : instantPlus(lookedUntil, -confirmedMs);
    const opened = await opens.opened(confirmed > oldest ? confirmed : oldest, now);
    const byAccount = Map.groupBy(opened, ({ accountId }) => accountId);
    await eachAccount(byAccount, async ([accountId, links]) => {
      const ids = links.map(({ linkId }) => linkId);
      await reportFirstOpens({ context, opens }, { accountId, ids, now, oldest });
    });
    lookedUntil = now;
  };
}

type Opened = {
  readonly accountId: string;
  readonly ids: readonly string[];
  readonly now: Instant;
  readonly oldest: Instant;
};

async function reportFirstOpens(
  { context, opens }: Pick<WatchParts, "context" | "opens">,
  { accountId, ids, now, oldest }: Opened,
): Promise<void> {
  const { sql } = context.ledger;
  const { state } = await loadState(sql, openMails, accountId);
  const { preference, from, named, ended } = state;
  if (ended || preference === "off" || (await isRestricted(sql, accountId))) return;
  const hasAnalytics = await includesOpens(sql, accountId, now);
  if (hasAnalytics ? ids.every((id) => named.has(id)) : named.size > 0) return;
  if (hasAnalytics && isDigest(preference)) return;
  const begin = from === null ? oldest : instantPlus(from, -confirmedMs);
  const since = begin > oldest ? begin : oldest;
  // Without analytics the first open of all links is named, which may have been long ago.
  const known = await opens.firstOpens(accountId, hasAnalytics ? since : ever);
  if (!hasAnalytics && known.some(({ at }) => at < since)) return;
  const links = known.map(({ linkId, at }) => ({ linkId, opens: 1, firstAt: at }));
  await report(context, accountId, { type: "ReportOpens", until: now, links, hasAnalytics });
}

function digestLook({ context, opens, contactOf }: WatchParts) {
  const { sql } = context.ledger;
  const nextAt = new Map<string, Instant>();
  return async (now: Instant): Promise<void> => {
    await eachAccount(await digestAccounts(sql), async ({ accountId, preference }) => {
      const key = `${accountId} ${preference}`;
      if ((nextAt.get(key) ?? ever) > now || (await isRestricted(sql, accountId))) return;
      const contact = await contactOf(accountId);
      if (contact === undefined) return await report(context, accountId, { type: "EndMails" });
      const owner = { zone: contact.timeZone, locale: contact.language };
      // It ends before it is due, so that an open that is confirmed later is in the next one.
      const until = instantPlus(lastDue(preference, owner, now), -confirmedMs);
      const { from } = (await loadState(sql, openMails, accountId)).state;
      if (from !== null && from < until && (await includesOpens(sql, accountId, now))) {
        const links = await opens.opens(accountId, from, until);
        const command = { type: "ReportOpens", until, links, hasAnalytics: true } as const;
        await report(context, accountId, command);
      }
      nextAt.set(key, nextDigest(preference, owner, now));
    });
  };
}

async function report(
  context: WatchParts["context"],
  accountId: string,
  command: OpenMailCommand,
): Promise<void> {
  const now = instantFromMs(context.clock());
  const result = await commandMails(context, accountId, command, serviceCause(now));
  if (result.kind === "refusal") throw new Error(`${command.type} is refused: ${result.code}`);
}

/** Goes on with the others where one fails. @throws the first error */
async function eachAccount<Account>(
  accounts: Iterable<Account>,
  look: (account: Account) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const account of accounts) {
    try {
      await look(account);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
