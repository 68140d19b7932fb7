import { createHmac, randomUUID } from "node:crypto";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import { z } from "zod";

import { Batches } from "./batches.ts";
import { destroySalts, Salts } from "./salts.ts";

/** How long a visitor of a link is recognised, and how long an open counts for its repetitions. */
const recognisedMs = 48 * 60 * 60_000;
const repeatedMs = 30 * 60_000;
/** An open is stored in some milliseconds; a claim that is older belongs to a process that ended. */
const claimedMs = 10_000;
/** Nothing waits for a confirmation: collected, they cost the database a tenth. */
const collectMs = 25;
const keyBytes = 16;

/** What a visitor is recognised by; held only while the request is answered. */
export type Traces = {
  readonly address: string;
  readonly agent: string;
  readonly languages: string;
  /** The id at this link of a visitor who consented to being recognised for longer. */
  readonly consented?: string | undefined;
};

/** A visitor of one link. */
export type Visitor = {
  /** Random, and the same for 48 hours; with consent made from a key, and the same for good. */
  readonly visitorId: string;
  /**
   * The right to count this open: given to one of the requests that come within half an hour. It has to be
   * confirmed once the open is stored, or released. Undefined for an open that repeats another one.
   */
  readonly claim: Claim | undefined;
};

/** The right to count one open: `id` names its row, so that a process that starts knows whether it was stored. */
export type Claim = { readonly linkId: string; readonly key: Buffer; readonly id: string };

type Question = {
  readonly linkId: string;
  readonly traces: Traces;
  readonly answer: (visitor: Visitor) => void;
  readonly refuse: (error: unknown) => void;
};

const Row = z.object({
  linkId: z.string(),
  key: z.instanceof(Buffer),
  visitorId: z.string(),
  claim: z.string().nullable(),
});

const FormerRow = z.object({
  linkId: z.string(),
  key: z.instanceof(Buffer),
  id: z.string(),
  claimedMs: z.number(),
});

/** What is asked of the database for one visitor: today's key, yesterday's, and a claim for the open. */
type Asked = { linkId: string; key: Buffer; former: Buffer | null; claim: string; fresh: string };

/**
 * Recognises the visitors of links. Requests that arrive while a query is under way share the next one.
 * Everything is in Postgres, so that all instances, and the next process, recognise alike.
 */
export class LinkVisitors {
  readonly #sql: Sql;
  readonly #salts: Salts;
  readonly #clock: () => number;
  readonly #instanceId: string;
  readonly #confirming: Batches<Claim>;
  #waiting: Question[] = [];
  #asking = false;

  /**
   * @param keys seal the salts in the database: the first one seals, all open
   * @param instanceId names the process and those before it on the same spool
   */
  constructor(sql: Sql, keys: readonly Buffer[], clock: () => number, instanceId: string) {
    this.#sql = sql;
    this.#salts = new Salts(sql, keys);
    this.#clock = clock;
    this.#instanceId = instanceId;
    // A connection that was cut is replaced: both statements may be repeated, whether they took effect or not.
    this.#confirming = new Batches(
      (claims) => this.#end(claims, true).catch(() => this.#end(claims, true)),
      collectMs,
    );
  }

  /** @throws the database's error */
  recognise(linkId: string, traces: Traces): Promise<Visitor> {
    return new Promise((answer, refuse) => {
      this.#waiting.push({ linkId, traces, answer, refuse });
      if (!this.#asking) setImmediate(() => void this.#ask());
      this.#asking = true;
    });
  }

  /** Counts the open of a claim for half an hour; many at once. @throws the database's error */
  confirm(claim: Claim): Promise<void> {
    return this.#confirming.add(claim);
  }

  /** Resolves when every claim that is being confirmed is, or could not be. */
  confirmed(): Promise<void> {
    return this.#confirming.idle();
  }

  /** Gives up the right to count an open that could not be stored. @throws the database's error */
  release(claim: Claim): Promise<void> {
    return this.#end([claim], false);
  }

  /** Locks in the order in which claims are made, so that neither waits for the other. */
  async #end(claims: readonly Claim[], isCounted: boolean): Promise<void> {
    const sql = this.#sql;
    await sql`
      with held as (
        select known.link_id, known.key
          from unnest(${claims.map(({ linkId }) => linkId)}::uuid[],
                      ${claims.map(({ key }) => key.toString("hex"))}::text[],
                      ${claims.map(({ id }) => id)}::uuid[]) as ended (link_id, key, claim)
          join collector.open_visitor known
            on known.link_id = ended.link_id and known.key = decode(ended.key, 'hex')
           and known.claim = ended.claim
         order by 1, 2 for update of known)
      update collector.open_visitor known
         set counted_at = case when ${isCounted} then known.claimed_at else known.counted_at end,
             claim = null, claimed_at = null, claimed_by = null
        from held
       where known.link_id = held.link_id and known.key = held.key`;
  }

  /**
   * Ends what earlier processes of this instance claimed and did not live to confirm: what they stored is
   * counted, and the rest is released.
   * @param stored those of the ids that name a stored open, given when the oldest of them was claimed
   */
  async settleFormer(
    stored: (ids: ReadonlySet<string>, sinceMs: number) => Promise<ReadonlySet<string>>,
  ): Promise<void> {
    const sql = this.#sql;
    const rows = z.array(FormerRow).parse(
      await sql<object[]>`
        select link_id as "linkId", key, claim as id,
               extract(epoch from claimed_at)::float8 * 1000 as "claimedMs"
          from collector.open_visitor where claimed_by = ${this.#instanceId} and claim is not null`,
    );
    if (rows.length === 0) return;
    const ids = new Set(rows.map(({ id }) => id));
    const found = await stored(ids, Math.min(...rows.map(({ claimedMs }) => claimedMs)));
    await this.#end(
      rows.filter(({ id }) => found.has(id)),
      true,
    );
    await this.#end(
      rows.filter(({ id }) => !found.has(id)),
      false,
    );
  }

  /** Forgets the salts of days that are over; for a process that answers no opens any more. */
  forgetOldSalts(): void {
    this.#salts.forgetOld(this.#clock());
  }

  async #ask(): Promise<void> {
    const questions = this.#waiting;
    this.#waiting = [];
    try {
      await this.#answer(questions);
    } catch (error) {
      for (const { refuse } of questions) refuse(error);
    }
    if (this.#waiting.length > 0) setImmediate(() => void this.#ask());
    else this.#asking = false;
  }

  async #answer(questions: readonly Question[]): Promise<void> {
    const nowMs = this.#clock();
    const [today, before] = await this.#salts.of(nowMs);
    const asked = new Map<string, Asked>();
    const nameOf = (linkId: string, key: Buffer): string => `${linkId} ${key.toString("hex")}`;
    const names = questions.map(({ linkId, traces }) => {
      const key = keyOf(today, linkId, traces);
      const former = before === undefined ? null : keyOf(before, linkId, traces);
      const name = nameOf(linkId, key);
      const fresh = traces.consented ?? randomUUID();
      if (!asked.has(name)) asked.set(name, { linkId, key, former, claim: randomUUID(), fresh });
      return name;
    });
    const all = [...asked.values()];
    const rows = await this.#readOrMake(all, nowMs).catch(() => this.#readOrMake(all, nowMs));
    const found = new Map(rows.map((row) => [nameOf(row.linkId, row.key), row]));
    const given = new Set<string>();
    for (const [index, { answer, refuse }] of questions.entries()) {
      const name = names[index] ?? "";
      const row = found.get(name);
      if (row === undefined) {
        refuse(new Error("A visitor was not answered"));
        continue;
      }
      // Of several requests in one batch the first has the claim.
      const { linkId, key, claim: id, visitorId } = row;
      const isOurs = id !== null && id === asked.get(name)?.claim && !given.has(name);
      given.add(name);
      answer({ visitorId, claim: isOurs ? { linkId, key, id } : undefined });
    }
  }

  /**
   * One row for each visitor: the one of today, else one that continues yesterday's, else a new one. Of
   * two processes that make a row at once, both answer with the first. The same statement claims the
   * open, unless another one was counted in the last half an hour, or is being counted.
   */
  async #readOrMake(asked: readonly Asked[], nowMs: number): Promise<z.infer<typeof Row>[]> {
    const now = new Date(nowMs);
    const oldest = new Date(nowMs - recognisedMs);
    const repeated = new Date(nowMs - repeatedMs);
    const claimed = new Date(nowMs - claimedMs);
    const sql = this.#sql;
    const rows = await sql<object[]>`
      insert into collector.open_visitor as known
             (link_id, key, visitor_id, since, counted_at, claim, claimed_at, claimed_by)
      select asked.link_id, decode(asked.key, 'hex'), coalesce(former.visitor_id, asked.fresh),
             coalesce(former.since, ${now}), former.counted_at,
             case when former.counted_at > ${repeated} then null else asked.claim end,
             case when former.counted_at > ${repeated} then null else ${now}::timestamptz end,
             ${this.#instanceId}
        from unnest(${asked.map(({ linkId }) => linkId)}::uuid[],
                    ${asked.map(({ key }) => key.toString("hex"))}::text[],
                    ${asked.map(({ former }) => former?.toString("hex") ?? "")}::text[],
                    ${asked.map(({ claim }) => claim)}::uuid[],
                    ${asked.map(({ fresh }) => fresh)}::uuid[])
               as asked (link_id, key, former, claim, fresh)
        left join collector.open_visitor former
          on former.link_id = asked.link_id and former.key = decode(asked.former, 'hex')
         and former.since > ${oldest}
       order by 1, 2
      on conflict (link_id, key) do update
         set (visitor_id, counted_at, since, claim, claimed_at, claimed_by) = (
           select case when is_known then known.visitor_id else excluded.visitor_id end,
                  case when is_known then known.counted_at else excluded.counted_at end,
                  case when is_known then known.since else excluded.since end,
                  case when is_free then excluded.claim else known.claim end,
                  case when is_free then excluded.claimed_at else known.claimed_at end,
                  case when is_free then excluded.claimed_by else known.claimed_by end
             from (select known.since > ${oldest} as is_known,
                          known.since <= ${oldest} or known.claim = excluded.claim
                          or ((known.counted_at is null or known.counted_at <= ${repeated})
                              and (known.claimed_at is null or known.claimed_at <= ${claimed}))
                            as is_free) as state)
      returning known.link_id as "linkId", known.key, known.visitor_id as "visitorId", known.claim`;
    return z.array(Row).parse(rows);
  }
}

/**
 * Address and browser, or the id of a consenting visitor, under a salt, for one link: the first 128 bits
 * of HMAC-SHA-256.
 */
function keyOf(salt: Buffer, linkId: string, traces: Traces): Buffer {
  const { address, agent, languages, consented } = traces;
  const recognisedBy = consented === undefined ? [address, agent, languages] : [consented];
  const text = JSON.stringify([linkId, ...recognisedBy]);
  return createHmac("sha256", salt).update(text).digest().subarray(0, keyBytes);
}

/** Destroys what recognises visitors: salts of days before yesterday, and rows of 48 hours. */
export async function destroyRecognition(sql: Sql, nowMs: number): Promise<void> {
  await destroySalts(sql, nowMs);
  await sql`delete from collector.open_visitor where since <= ${new Date(nowMs - recognisedMs)}`;
}
