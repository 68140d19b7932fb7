import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { seal, SealBroken, unseal } from "../crypto/seal.ts";
import { keyIdOf } from "../crypto/secrets.ts";
import { isMissing } from "../files/is-missing.ts";
import { type Lock, LockHeld, takeLock } from "../runtime/file-lock.ts";
import { pause } from "../runtime/wait.ts";
import { requireWritable } from "../runtime/writable.ts";
import {
  EpochUnknown,
  type KeyEpoch,
  type KeyStore,
  type KeyStoreNames,
  KeysUnavailable,
} from "./key-store.ts";

const StoredFile = z.object({ format: z.literal(1), wrappingKey: z.string(), sealed: z.base64() });
const StoredEpoch = z.object({ id: z.string(), begunAt: Instant, key: z.hex().length(64) });
const StoredEpochs = z.array(StoredEpoch);
type StoredEpoch = z.infer<typeof StoredEpoch>;
/** The content of the file, and the wrapping key it was sealed under. */
type Content = { readonly epochs: readonly StoredEpoch[]; readonly wrappingKey: string };

const lockAttemptsMax = 100;
const lockRetryMs = 50;

/**
 * Epoch keys in one file, readable for its owner only and sealed as a whole under the wrapping key.
 * Writers exclude each other with a lock beside it; readers see the former or the new content.
 * @param wrappingKeys the present one first, then former ones, which still open the file
 * @throws TypeError when a key is not 32 bytes long
 */
export function openFileKeyStore(
  file: string,
  wrappingKeys: readonly [Buffer, ...Buffer[]],
  names: KeyStoreNames,
): KeyStore {
  if (wrappingKeys.some(({ length }) => length !== 32)) {
    throw new TypeError("A wrapping key has 32 bytes");
  }
  let known: ReadonlyMap<string, KeyObject> = new Map();
  const sealed = sealedFile(file, { wrappingKeys, names });

  async function read(): Promise<Content> {
    const content = await sealed.read();
    known = new Map(content.epochs.map(({ id, key }) => [id, createSecretKey(key, "hex")]));
    return content;
  }

  async function keyOf(id: string): Promise<KeyObject> {
    if (!known.has(id)) await read();
    const key = known.get(id);
    if (key === undefined) throw new EpochUnknown(id);
    return key;
  }

  return {
    epochs: async () => (await read()).epochs.map(described),
    begin: async (at, after) => {
      await sealed.change(({ epochs }) => {
        const newest = epochs.at(-1);
        return newest?.id === after ? [...epochs, newEpoch(at, newest)] : epochs;
      });
      const newest = (await read()).epochs.at(-1);
      if (newest === undefined) throw new KeysUnavailable([names.store]);
      return described(newest);
    },
    destroy: async (id) => {
      await sealed.change(({ epochs }) => {
        const left = epochs.filter((epoch) => epoch.id !== id);
        return left.length === epochs.length ? epochs : left;
      });
      // Forgets it in this process too.
      await read();
    },
    wrap: async (id, key, boundTo) => seal(await keyOf(id), key, boundTo),
    unwrap: async (id, wrapped, boundTo) => unseal(await keyOf(id), wrapped, boundTo),
    isRenewed: async () => sealed.isUnderPresent(await read()),
    renew: async () => {
      if (sealed.isUnderPresent(await read())) return false;
      await sealed.change((content) => content.epochs);
      return true;
    },
  };
}

type FileKeys = {
  readonly wrappingKeys: readonly [Buffer, ...Buffer[]];
  readonly names: KeyStoreNames;
};

function sealedFile(file: string, { wrappingKeys, names }: FileKeys) {
  const [present] = wrappingKeys;
  const read = (): Promise<Content> => readContent(file, wrappingKeys, names);
  const isUnderPresent = ({ epochs, wrappingKey }: Content): boolean =>
    epochs.length === 0 || wrappingKey === keyIdOf(present);
  return {
    read,
    isUnderPresent,
    /** What is returned is on disk. */
    change: async (of: (content: Content) => readonly StoredEpoch[]): Promise<void> => {
      const lock = await lockFor(`${file}.lock`, names);
      try {
        const content = await read();
        const epochs = of(content);
        if (epochs === content.epochs && isUnderPresent(content)) return;
        await writeContent(file, { present, boundTo: names.boundTo }, epochs);
      } finally {
        lock.release();
      }
    },
  };
}

function described({ id, begunAt }: StoredEpoch): KeyEpoch {
  return { id, begunAt };
}

/** Later than the one before, whatever the clock says: the order of epochs is that of their times. */
function newEpoch(at: Instant, before: StoredEpoch | undefined): StoredEpoch {
  const key = randomBytes(32);
  const earliest = before === undefined ? 0 : Date.parse(before.begunAt) + 1;
  const begunAt = instantFromMs(Math.max(Date.parse(at), earliest));
  return { id: keyIdOf(key), begunAt, key: key.toString("hex") };
}

async function readContent(
  file: string,
  wrappingKeys: readonly Buffer[],
  names: KeyStoreNames,
): Promise<Content> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw new KeysUnavailable([names.store], { cause: error });
  });
  if (text === undefined) return { epochs: [], wrappingKey: "" };
  const stored = StoredFile.safeParse(parsedJson(text));
  if (!stored.success) throw new KeysUnavailable([names.store]);
  const { wrappingKey, sealed } = stored.data;
  const key = wrappingKeys.find((candidate) => keyIdOf(candidate) === wrappingKey);
  if (key === undefined) throw new KeysUnavailable([names.wrappingKey]);
  try {
    const plain = unseal(key, Buffer.from(sealed, "base64"), names.boundTo);
    return { epochs: StoredEpochs.parse(parsedJson(plain.toString("utf8"))), wrappingKey };
  } catch (error) {
    if (!(error instanceof SealBroken || error instanceof z.ZodError)) throw error;
    throw new KeysUnavailable([names.store], { cause: error });
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces the file as a whole; after a crash at any step it has the former content or the new one. */
async function writeContent(
  file: string,
  { present, boundTo }: { readonly present: Buffer; readonly boundTo: string },
  epochs: readonly StoredEpoch[],
): Promise<void> {
  const sealed = seal(present, Buffer.from(JSON.stringify(epochs), "utf8"), boundTo);
  const stored: z.infer<typeof StoredFile> = {
    format: 1,
    wrappingKey: keyIdOf(present),
    sealed: sealed.toString("base64"),
  };
  // The lock excludes other writers, so what is left of a crash is written over.
  const partial = `${file}.new`;
  await rm(partial, { force: true });
  const handle = await open(partial, "wx", 0o600);
  try {
    await handle.writeFile(JSON.stringify(stored));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, file);
  const folder = await open(dirname(file), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function lockFor(file: string, names: KeyStoreNames): Promise<Lock> {
  await requireWritable(dirname(file), names.store).catch((cause: unknown) => {
    throw new KeysUnavailable([names.store], { cause });
  });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return takeLock(file);
    } catch (error) {
      if (!(error instanceof LockHeld) || attempt === lockAttemptsMax) {
        throw new KeysUnavailable([names.store], { cause: error });
      }
      await pause(lockRetryMs, new AbortController().signal);
    }
  }
}
