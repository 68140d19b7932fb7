import { createHmac, createSecretKey, randomBytes } from "node:crypto";

import { type SealKey, unseal } from "@pro-talent/platform/crypto/seal";
import { deriveKey, keyIdOf } from "@pro-talent/platform/crypto/secrets";
import { KeysUnavailable } from "@pro-talent/platform/keys/key-store";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { pause } from "@pro-talent/platform/runtime/wait";

import { checkKeys, type LedgerKeys } from "./check-keys.ts";

/** A subject's key as its row has it. */
export type WrappedKey = {
  readonly subject_id: string;
  readonly wrapped_key: Buffer;
  readonly wrapping_key_id: string;
};

/** The hash of an address under the present lookup key, and under former ones. */
export type Lookup = {
  readonly keyId: string;
  readonly hash: Buffer;
  readonly former: readonly Buffer[];
};

/** The keys of one process, once they were compared with the ledger's own. */
export type Keyring = {
  /** @throws KeysUnavailable when a key is wrong or missing; PostgresUnavailable */
  readonly requireUsable: () => Promise<void>;
  /** Waits until the keys are usable, and asks every few seconds; returns early when aborted. */
  readonly untilUsable: (signal: AbortSignal) => Promise<void>;
  /** Forgets which epoch is in use, since another one has taken its place. */
  readonly forgetEpoch: () => void;
  /** A new key of a subject, wrapped under the epoch in use. */
  readonly newKey: (subjectId: string) => Promise<{ key: Buffer; row: WrappedKey }>;
  /** @throws EpochUnknown; SealBroken; KeysUnavailable */
  readonly unwrap: (row: WrappedKey) => Promise<Buffer>;
  readonly lookupOf: (text: string) => Lookup;
  /** A key for one purpose from the present lookup key. */
  readonly deriveKey: (label: string) => Buffer;
  /** The same from the present and every former lookup key, to read what they made. */
  readonly deriveKeys: (label: string) => readonly [Buffer, ...Buffer[]];
};

/** So long a check is relied upon, and a destroyed key may stay in memory. */
const checkedForMs = 30_000;
const askAgainMs = 2000;

type KeyringOptions = {
  /** A pool of the role `ledger_app`. */
  readonly sql: Sql;
  readonly keys: LedgerKeys;
  readonly log: Logger;
  /** False for commands of operators, which only use a ledger's keys. */
  readonly begin?: boolean;
};

/**
 * The keys of a process. They are checked when they are first used, and again every half minute of use.
 * @throws TypeError when a key is not 32 bytes long
 */
export function openKeyring(options: KeyringOptions): Keyring {
  const { keys } = options;
  const { store, wrappingKeys, lookupKeys } = keys;
  if ([...wrappingKeys, ...lookupKeys].some(({ length }) => length !== 32)) {
    throw new TypeError("The keys of subjects have 32 bytes each");
  }
  const [lookupKey, ...formerLookupKeys] = lookupKeys;
  const epoch = checkedEpoch(options);
  // Their ids are asked for with each of many subjects.
  const named = new Map(wrappingKeys.map((key) => [keyIdOf(key), createSecretKey(key)]));
  return {
    requireUsable: async () => void (await epoch.inUse()),
    untilUsable: async (signal) => {
      const isUsable = (): Promise<boolean> =>
        epoch.inUse().then(
          () => true,
          () => false,
        );
      while (!signal.aborted && !(await isUsable())) await pause(askAgainMs, signal);
    },
    forgetEpoch: epoch.forget,
    newKey: async (subjectId) => {
      const id = await epoch.inUse();
      const key = randomBytes(32);
      const wrapped_key = await store.wrap(id, key, subjectId);
      return { key, row: { subject_id: subjectId, wrapped_key, wrapping_key_id: id } };
    },
    unwrap: (row) => unwrapUnder(store, named.get(row.wrapping_key_id), row),
    lookupOf: (text) => ({
      keyId: keyIdOf(lookupKey),
      hash: hashOf(lookupKey, text),
      former: formerLookupKeys.map((key) => hashOf(key, text)),
    }),
    deriveKey: (label) => deriveKey(lookupKey, label),
    deriveKeys: (label) => [
      deriveKey(lookupKey, label),
      ...formerLookupKeys.map((key) => deriveKey(key, label)),
    ],
  };
}

/** The epoch in use, as the last check of the keys found it; many callers share one check. */
function checkedEpoch({ sql, keys, log, begin = true }: KeyringOptions) {
  let checked: { readonly epoch: string; readonly at: number } | undefined;
  let checking: Promise<string> | undefined;
  let failing = false;

  async function check(): Promise<string> {
    try {
      const epoch = await checkKeys(sql, keys, begin);
      checked = { epoch, at: performance.now() };
      if (failing) log.info("the keys are usable");
      failing = false;
      return epoch;
    } catch (error) {
      checked = undefined;
      if (error instanceof KeysUnavailable && !failing) {
        log.error({ err: error, key: error.code }, "a key is wrong or missing: nothing is sealed");
        failing = true;
      }
      throw error;
    } finally {
      checking = undefined;
    }
  }

  return {
    inUse: async (): Promise<string> => {
      const isRecent = checked !== undefined && performance.now() - checked.at < checkedForMs;
      if (checked !== undefined && isRecent) return checked.epoch;
      checking ??= check();
      return checking;
    },
    forget: (): void => {
      checked = undefined;
    },
  };
}

function hashOf(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/**
 * The key of a subject, from whichever key it is wrapped under.
 * @throws EpochUnknown; SealBroken; KeysUnavailable
 */
export async function unwrapKey(
  { store, wrappingKeys }: LedgerKeys,
  row: WrappedKey,
): Promise<Buffer> {
  const wrappingKey = wrappingKeys.find((key) => keyIdOf(key) === row.wrapping_key_id);
  return await unwrapUnder(store, wrappingKey, row);
}

const unwrapUnder = async (
  store: LedgerKeys["store"],
  wrappingKey: SealKey | undefined,
  { wrapping_key_id: id, wrapped_key: wrapped, subject_id: subjectId }: WrappedKey,
): Promise<Buffer> =>
  wrappingKey === undefined
    ? await store.unwrap(id, wrapped, subjectId)
    : unseal(wrappingKey, wrapped, subjectId);
