import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";

import { seal, SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { defineJob, handleJob, type RunnableJob } from "@pro-talent/platform/queue/define-job";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { Sealed } from "./append.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { normaliseEmail } from "./normalise-email.ts";

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

/** 32 bytes each, from the environment; they never reach the database. */
export type SubjectKeys = { readonly wrappingKey: Buffer; readonly lookupKey: Buffer };

/** A domain's word for its data subjects: `<domain>.<what they are>`. */
export type SubjectKind = `${string}.${string}`;

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
  /** How many subjects of this kind with this address were made since the instant. */
  readonly countSince: (kind: SubjectKind, email: string, since: Instant) => Promise<number>;
  /** Undefined once the subject was shredded. */
  readonly find: (id: string) => Promise<Subject | undefined>;
  /** Destroys the key and drops the ciphertexts. May be repeated. */
  readonly shred: (id: string) => Promise<void>;
};

type SubjectRow = { subject_id: string; wrapped_key: Buffer; wrapping_key_id: string };

/**
 * The data subjects of the ledger, through the pool of the role `ledger_app`.
 * @throws TypeError when a key is not 32 bytes long
 */
export function openSubjects(sql: Sql, keys: SubjectKeys): Subjects {
  for (const key of [keys.wrappingKey, keys.lookupKey]) {
    if (key.length !== 32) throw new TypeError("The keys of subjects have 32 bytes each");
  }
  const wrapping = wrappingOf(keys.wrappingKey);
  const lookupOf = (email: string): Buffer =>
    createHmac("sha256", keys.lookupKey).update(normaliseEmail(email)).digest();
  return {
    withAddress: async (kind, email) => {
      const id = randomUUID();
      const rows = await sql<SubjectRow[]>`select * from ledger.open_subject(
        ${kind}, ${id}, ${lookupOf(email)}, ${wrapping.newKey(id)}, ${wrapping.id})`;
      return subjectOf(wrapping, only(rows));
    },
    idOfAddress: async (kind, email) => {
      const [row] = await sql<{ subject_id: string }[]>`
        select subject_id from ledger.subject
         where kind = ${kind} and lookup = ${lookupOf(email)}`;
      return row?.subject_id;
    },
    ofOccasion: async (kind, id, email) => {
      const rows = await sql<SubjectRow[]>`select * from ledger.new_subject(
        ${kind}, ${id}, ${lookupOf(email)}, ${wrapping.newKey(id)}, ${wrapping.id})`;
      return subjectOf(wrapping, only(rows));
    },
    countSince: async (kind, email, since) => {
      const rows = await sql<{ subjects: number }[]>`
        select count(*) as subjects from ledger.subject
         where kind = ${kind} and lookup = ${lookupOf(email)} and created_at >= ${since}`;
      return only(rows).subjects;
    },
    find: async (id) => {
      const [row] = await sql<SubjectRow[]>`
        select subject_id, wrapped_key, wrapping_key_id from ledger.subject
         where subject_id = ${id}`;
      return row === undefined ? undefined : subjectOf(wrapping, row);
    },
    shred: async (id) => {
      await sql`select ledger.shred_subject(${id})`;
    },
  };
}

type Wrapping = ReturnType<typeof wrappingOf>;

/** The key that data keys are wrapped under, and its id in the rows. */
function wrappingOf(wrappingKey: Buffer) {
  const id = createHash("sha256").update(wrappingKey).digest("hex").slice(0, 8);
  return {
    id,
    newKey: (subjectId: string) => seal(wrappingKey, randomBytes(32), subjectId),
    unwrap: (row: SubjectRow) => {
      if (row.wrapping_key_id !== id) {
        throw new Error(`Subjects are wrapped under key ${row.wrapping_key_id}, not under ${id}`);
      }
      return unseal(wrappingKey, row.wrapped_key, row.subject_id);
    },
  };
}

/** The data key is unwrapped for each use and kept nowhere: a shredded one is gone at once. */
function subjectOf(wrapping: Wrapping, row: SubjectRow): Subject {
  const id = row.subject_id;
  return {
    id,
    seal: (personal) => ({
      keyId: id,
      bytes: seal(wrapping.unwrap(row), Buffer.from(canonicalJson(personal), "utf8"), id),
    }),
    open: (sealed, contract) => {
      const plain = unseal(wrapping.unwrap(row), sealed, id);
      return contract.parse(jsonOf(plain));
    },
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
