import { randomBytes } from "node:crypto";

import { seal, SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import type { Sql } from "@pro-talent/platform/postgres/pool";

const dayMs = 24 * 60 * 60_000;
const saltBytes = 32;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A random salt for each day (UTC), which all instances share; sealed in the database. */
export class Salts {
  readonly #sql: Sql;
  readonly #keys: readonly Buffer[];
  #known = new Map<string, Buffer>();

  /** @param keys the first one seals, all open */
  constructor(sql: Sql, keys: readonly Buffer[]) {
    this.#sql = sql;
    this.#keys = keys;
  }

  /**
   * The salt of today, made with its first open, and that of yesterday, if there is one.
   * @throws SealBroken when none of the keys opens one
   */
  async of(nowMs: number): Promise<readonly [Buffer, Buffer | undefined]> {
    const [today, before] = [dayOf(nowMs), dayOf(nowMs - dayMs)];
    if (!this.#known.has(today)) {
      const sql = this.#sql;
      await sql`
        insert into collector.open_salt (day, sealed) values (${today}, ${this.#newSalt(today)})
        on conflict do nothing`;
      const rows = await sql<{ day: string; sealed: Buffer }[]>`
        select day::text, sealed from collector.open_salt where day in (${today}, ${before})`;
      this.#known = new Map(rows.map(({ day, sealed }) => [day, this.#open(day, sealed)]));
    }
    const salt = this.#known.get(today);
    if (salt === undefined) throw new Error("There is no salt for today");
    return [salt, this.#known.get(before)];
  }

  /** Forgets those of days before yesterday. */
  forgetOld(nowMs: number): void {
    const oldest = dayOf(nowMs - dayMs);
    for (const day of this.#known.keys()) if (day < oldest) this.#known.delete(day);
  }

  #newSalt(day: string): Buffer {
    const [key] = this.#keys;
    if (key === undefined) throw new Error("The salts of link visitors need a key");
    return seal(key, randomBytes(saltBytes), day);
  }

  #open(day: string, sealed: Buffer): Buffer {
    for (const key of this.#keys) {
      try {
        return unseal(key, sealed, day);
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
      }
    }
    throw new SealBroken();
  }
}

/** Destroys the salts of days before yesterday: what was recognised under them never is again. */
export async function destroySalts(sql: Sql, nowMs: number): Promise<void> {
  await sql`delete from collector.open_salt where day < ${dayOf(nowMs - dayMs)}`;
}
