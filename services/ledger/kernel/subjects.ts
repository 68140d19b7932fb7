import { createSecretKey, randomUUID } from "node:crypto";

import { seal, SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import { EpochUnknown } from "@pro-talent/platform/keys/key-store";
import { normaliseEmail } from "@pro-talent/platform/mail/normalise-email";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";
import type { Statement } from "@pro-talent/platform/postgres/statement";
import { defineJob, handleJob, type RunnableJob } from "@pro-talent/platform/queue/define-job";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { Sealed } from "./append.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import type { Keyring, Lookup, WrappedKey } from "./keys/keyring.ts";

/**
 * A person, or an occasion of contact with one, whose personal data the ledger holds sealed under a
 * key of its own, so that it can be erased alone.
 */
export type Subject = {
  /** Also the key id of what is sealed. */
  readonly id: string;
  readonly seal: (personal: Json) => Sealed;
  /** @throws SealBroken when it was sealed for another subject, or changed; ZodError */
  readonly open: <S extends z.ZodType>(sealed: Buffer, contract: S) => z.infer<S>;
};

/** A domain's word for its data subjects: `<domain>.<what they are>`. */
export type SubjectKind = `${string}.${string}`;

/** Each rejects with KeysUnavailable while a key of the ledger is wrong or missing. */
export type Subjects = {
  /** The one subject of this kind with this address; made if there is none. Also one when two ask at once. */
  readonly withAddress: (kind: SubjectKind, email: string) => Promise<Subject>;
  /** The id of the subject that `withAddress` returns; undefined if there is none. */
  readonly idOfAddress: (kind: SubjectKind, email: string) => Promise<string | undefined>;
  /**
   * A subject of one occasion; the address is kept as a keyed hash only, to be found again for
   * privacy requests. The same id again gives the same subject.
   */
  readonly ofOccasion: (kind: SubjectKind, id: string, email: string) => Promise<Subject>;
  /** The ids of all subjects of this kind with this address, the oldest first. */
  readonly idsOfAddress: (kind: SubjectKind, email: string) => Promise<readonly string[]>;
  /** How many subjects of this kind with this address were made since the instant. */
  readonly countSince: (kind: SubjectKind, email: string, since: Instant) => Promise<number>;
  /** Undefined once the subject was shredded. */
  readonly find: (id: string) => Promise<Subject | undefined>;
  /** Those of these ids that were not shredded, by their ids. */
  readonly findAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, Subject>>;
  /** Destroys the key and drops the ciphertexts. May be repeated. */
  readonly shred: (id: string) => Promise<void>;
};

/** The data subjects of the ledger, through the pool of the role `ledger_app`. */
export function openSubjects(sql: Queryable, keyring: Keyring): Subjects {
  const lookupOf = (email: string): Lookup => keyring.lookupOf(normaliseEmail(email));
  const make = makerOf(sql, keyring);
  return {
    withAddress: (kind, email) =>
      make(kind, { function: "ledger.open_subject", id: randomUUID(), lookup: lookupOf(email) }),
    idOfAddress: async (kind, email) => {
      await keyring.requireUsable();
      const { hash, former } = lookupOf(email);
      const [row] = await sql<{ subject_id: string }[]>`
        select subject_id from ledger.subject
         where kind = ${kind} and lookup = any (${hashes(sql, [hash, ...former])})
         order by lookup <> ${hash}, created_at desc limit 1`;
      return row?.subject_id;
    },
    ofOccasion: (kind, id, email) =>
      make(kind, { function: "ledger.new_subject", id, lookup: lookupOf(email) }),
    idsOfAddress: async (kind, email) => {
      await keyring.requireUsable();
      const { hash, former } = lookupOf(email);
      const rows = await sql<{ subjectId: string }[]>`
        select subject_id as "subjectId" from ledger.subject
         where kind = ${kind} and lookup = any (${hashes(sql, [hash, ...former])})
         order by created_at, subject_id`;
      return rows.map(({ subjectId }) => subjectId);
    },
    countSince: async (kind, email, since) => {
      await keyring.requireUsable();
      const { hash, former } = lookupOf(email);
      const rows = await sql<{ subjects: number }[]>`
        select count(*) as subjects from ledger.subject
         where kind = ${kind} and lookup = any (${hashes(sql, [hash, ...former])})
           and created_at >= ${since}`;
      return only(rows).subjects;
    },
    find: async (id) => {
      await keyring.requireUsable();
      return openRow(sql, keyring, await rowOf(sql, id));
    },
    findAll: async (ids) => {
      await keyring.requireUsable();
      const rows = await sql<WrappedKey[]>`
        select subject_id, wrapped_key, wrapping_key_id from ledger.subject
         where subject_id = any (${ids}::uuid[])`;
      const found = await Promise.all(rows.map((row) => openRow(sql, keyring, row)));
      return new Map(found.flatMap((subject) => (subject ? [[subject.id, subject] as const] : [])));
    },
    shred: async (id) => {
      await sql`select ledger.shred_subject(${id})`;
    },
  };
}

type NewSubject = {
  readonly function: "ledger.open_subject" | "ledger.new_subject";
  readonly id: string;
  readonly lookup: Lookup;
};

/** Makes a subject with a key of its own, or returns the existing one. */
function makerOf(sql: Queryable, keyring: Keyring) {
  async function attempt(kind: SubjectKind, made: NewSubject): Promise<Subject> {
    const { id, lookup } = made;
    const { key, row: fresh } = await keyring.newKey(id);
    const row = only(
      await sql<WrappedKey[]>`
        select * from ${sql(made.function)}(${kind}, ${id}, ${lookup.hash}, ${lookup.keyId},
          ${hashes(sql, lookup.former)}, ${fresh.wrapped_key}, ${fresh.wrapping_key_id})`,
    );
    if (row.wrapped_key.equals(fresh.wrapped_key)) return subjectOf(id, key);
    return (await openRow(sql, keyring, row)) ?? (await attempt(kind, made));
  }
  return (kind: SubjectKind, made: NewSubject): Promise<Subject> =>
    attempt(kind, made).catch((error: unknown) => {
      if (!isEndedEpoch(error)) throw error;
      keyring.forgetEpoch();
      return attempt(kind, made);
    });
}

/** An array of bytes as a parameter. */
function hashes(sql: Queryable, of: readonly Buffer[]): Statement<readonly object[]> {
  const hex = of.map((hash) => hash.toString("hex"));
  return sql`(select coalesce(array_agg(decode(h, 'hex')), '{}') from unnest(${hex}::text[]) h)::bytea[]`;
}

async function rowOf(sql: Queryable, id: string): Promise<WrappedKey | undefined> {
  const [row] = await sql<WrappedKey[]>`
    select subject_id, wrapped_key, wrapping_key_id from ledger.subject where subject_id = ${id}`;
  return row;
}

/** The process has not noticed yet that an epoch ended: no row may name it, or its key is destroyed. */
function isEndedEpoch(error: unknown): boolean {
  if (error instanceof EpochUnknown) return true;
  const foreignKeyViolation = "23503";
  return error instanceof Error && "code" in error && error.code === foreignKeyViolation;
}

/** A row that was read just before its epoch ended is read again: it has been re-wrapped. */
async function openRow(
  sql: Queryable,
  keyring: Keyring,
  row: WrappedKey | undefined,
): Promise<Subject | undefined> {
  if (row === undefined) return undefined;
  try {
    return subjectOf(row.subject_id, await keyring.unwrap(row));
  } catch (error) {
    if (!(error instanceof EpochUnknown)) throw error;
    const now = await rowOf(sql, row.subject_id);
    if (now?.wrapping_key_id === row.wrapping_key_id) throw error;
    return openRow(sql, keyring, now);
  }
}

function subjectOf(id: string, bytes: Buffer): Subject {
  const key = createSecretKey(bytes);
  return {
    id,
    seal: (personal) => ({
      keyId: id,
      bytes: seal(key, Buffer.from(canonicalJson(personal), "utf8"), id),
    }),
    open: (sealed, contract) => contract.parse(jsonOf(unseal(key, sealed, id))),
  };
}

/** Only what this program wrote is ever authentic, so anything else counts as broken. */
function jsonOf(plain: Buffer): unknown {
  try {
    return JSON.parse(plain.toString("utf8"));
  } catch {
    throw new SealBroken();
  }
}

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("The database returned no row");
  return row;
}

/** Forgets subjects without any sealed data; running it twice forgets nothing more. */
export const forgetOrphansJob = defineJob({
  name: "ledger.forget-orphans",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** @returns how many were forgotten */
export async function forgetOrphans(sql: Sql): Promise<number> {
  const [row] = await sql<{ forgotten: number }[]>`select ledger.forget_orphans() as forgotten`;
  return row?.forgotten ?? 0;
}

/** @param sql a pool of the role `ledger_app` */
export function handleForgetOrphans(sql: Sql): RunnableJob {
  return handleJob(forgetOrphansJob, async () => {
    await forgetOrphans(sql);
  });
}
