import { createHmac, randomBytes, randomUUID } from "node:crypto";

import { seal, SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { z } from "zod";

/** How long a visitor of a link is recognised, and how long an open counts for its repetitions. */
const recognisedMs = 48 * 60 * 60_000;
const repeatedMs = 30 * 60_000;
const dayMs = 24 * 60 * 60_000;
const saltBytes = 32;
const keyBytes = 16;

/** What a visitor is recognised by; held only while the request is answered. */
export type Traces = {
  readonly address: string;
  readonly agent: string;
  readonly languages: string;
};

/** A visitor of one link. */
export type Visitor = {
  /** Random; the same for 48 hours. */
  readonly visitorId: string;
  /** When an open was last counted, in milliseconds; undefined for the first one. */
  readonly countedMs: number | undefined;
};

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
  countedMs: z.number().nullable(),
});

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Recognises the visitors of links. Requests that arrive while a query is under way share the next one.
 * Everything is in Postgres, so that all instances, and the next process, recognise alike.
 */
export class LinkVisitors {
  readonly #sql: Sql;
  readonly #keys: readonly Buffer[];
  readonly #clock: () => number;
  #salts = new Map<string, Buffer>();
  #waiting: Question[] = [];
  #asking = false;

  /** @param keys seal the salts in the database: the first one seals, all open */
  constructor(sql: Sql, keys: readonly Buffer[], clock: () => number) {
    this.#sql = sql;
    this.#keys = keys;
    this.#clock = clock;
  }

  /** @throws the database's error */
  recognise(linkId: string, traces: Traces): Promise<Visitor> {
    return new Promise((answer, refuse) => {
      this.#waiting.push({ linkId, traces, answer, refuse });
      if (!this.#asking) setImmediate(() => void this.#ask());
      this.#asking = true;
    });
  }

  /** Whether an open now repeats the one that was counted last. */
  isRepeated({ countedMs }: Visitor, nowMs: number): boolean {
    return countedMs !== undefined && nowMs - countedMs < repeatedMs;
  }

  /** Records that an open of a visitor was counted. */
  async counted(linkId: string, visitorId: string, nowMs: number): Promise<void> {
    const sql = this.#sql;
    await sql`
      update collector.open_visitor set counted_at = ${new Date(nowMs)}
       where link_id = ${linkId} and visitor_id = ${visitorId}
         and (counted_at is null or counted_at < ${new Date(nowMs)})`;
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
    const [today, before] = await this.#saltsOf(nowMs);
    const asked = new Map<string, { linkId: string; key: Buffer; former: Buffer | null }>();
    const nameOf = (linkId: string, key: Buffer): string => `${linkId} ${key.toString("hex")}`;
    const names = questions.map(({ linkId, traces }) => {
      const key = keyOf(today, linkId, traces);
      const former = before === undefined ? null : keyOf(before, linkId, traces);
      asked.set(nameOf(linkId, key), { linkId, key, former });
      return nameOf(linkId, key);
    });
    const rows = await this.#readOrMake([...asked.values()], nowMs);
    const found = new Map(
      rows.map(({ linkId, key, visitorId, countedMs }) => [
        nameOf(linkId, key),
        { visitorId, countedMs: countedMs ?? undefined },
      ]),
    );
    for (const [index, { answer, refuse }] of questions.entries()) {
      const visitor = found.get(names[index] ?? "");
      if (visitor === undefined) refuse(new Error("A visitor was not answered"));
      else answer(visitor);
    }
  }

  /**
   * One row for each visitor: the one of today, else one that continues yesterday's, else a new one. Of
   * two processes that make a row at once, both answer with the first.
   */
  async #readOrMake(
    asked: readonly { linkId: string; key: Buffer; former: Buffer | null }[],
    nowMs: number,
  ): Promise<z.infer<typeof Row>[]> {
    const now = new Date(nowMs);
    const oldest = new Date(nowMs - recognisedMs);
    const sql = this.#sql;
    const rows = await sql<object[]>`
      insert into collector.open_visitor as known (link_id, key, visitor_id, since, counted_at)
      select asked.link_id, decode(asked.key, 'hex'), coalesce(former.visitor_id, asked.fresh),
             coalesce(former.since, ${now}), former.counted_at
        from unnest(${asked.map(({ linkId }) => linkId)}::uuid[],
                    ${asked.map(({ key }) => key.toString("hex"))}::text[],
                    ${asked.map(({ former }) => former?.toString("hex") ?? "")}::text[],
                    ${asked.map(() => randomUUID())}::uuid[])
               as asked (link_id, key, former, fresh)
        left join collector.open_visitor former
          on former.link_id = asked.link_id and former.key = decode(asked.former, 'hex')
         and former.since > ${oldest}
       order by 1, 2
      on conflict (link_id, key) do update
         set visitor_id = case when known.since > ${oldest} then known.visitor_id else excluded.visitor_id end,
             counted_at = case when known.since > ${oldest} then known.counted_at else excluded.counted_at end,
             since = case when known.since > ${oldest} then known.since else excluded.since end
      returning known.link_id as "linkId", known.key, known.visitor_id as "visitorId",
                extract(epoch from known.counted_at)::float8 * 1000 as "countedMs"`;
    return z.array(Row).parse(rows);
  }

  /** The salt of today, made with its first open, and that of yesterday, if there is one. */
  async #saltsOf(nowMs: number): Promise<readonly [Buffer, Buffer | undefined]> {
    const [today, before] = [dayOf(nowMs), dayOf(nowMs - dayMs)];
    if (!this.#salts.has(today)) {
      const sql = this.#sql;
      await sql`
        insert into collector.open_salt (day, sealed) values (${today}, ${this.#newSalt(today)})
        on conflict do nothing`;
      const rows = await sql<{ day: string; sealed: Buffer }[]>`
        select day::text, sealed from collector.open_salt where day in (${today}, ${before})`;
      this.#salts = new Map(rows.map(({ day, sealed }) => [day, this.#openSalt(day, sealed)]));
    }
    const salt = this.#salts.get(today);
    if (salt === undefined) throw new Error("There is no salt for today");
    return [salt, this.#salts.get(before)];
  }

  #newSalt(day: string): Buffer {
    const [key] = this.#keys;
    if (key === undefined) throw new Error("The salts of link visitors need a key");
    return seal(key, randomBytes(saltBytes), day);
  }

  /** @throws SealBroken when none of the keys opens it */
  #openSalt(day: string, sealed: Buffer): Buffer {
    for (const key of this.#keys) {
      try {
        return unseal(key, sealed, day);
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
      }
    }
    throw new SealBroken();
  }

  /** Forgets the salts of days that are over; for a process that answers no opens any more. */
  forgetOldSalts(): void {
    const oldest = dayOf(this.#clock() - dayMs);
    for (const day of this.#salts.keys()) if (day < oldest) this.#salts.delete(day);
  }
}

/** Address and browser under a salt, for one link: the first 128 bits of HMAC-SHA-256. */
function keyOf(salt: Buffer, linkId: string, { address, agent, languages }: Traces): Buffer {
  const text = JSON.stringify([linkId, address, agent, languages]);
  return createHmac("sha256", salt).update(text).digest().subarray(0, keyBytes);
}

/** Destroys what recognises visitors: salts of days before yesterday, and rows of 48 hours. */
export async function destroyRecognition(sql: Sql, nowMs: number): Promise<void> {
  await sql`delete from collector.open_salt where day < ${dayOf(nowMs - dayMs)}`;
  await sql`delete from collector.open_visitor where since <= ${new Date(nowMs - recognisedMs)}`;
}
