import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { seal, SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import { keyIdOf } from "@pro-talent/platform/crypto/secrets";
import { type Lock, LockHeld, takeLock } from "@pro-talent/platform/runtime/file-lock";
import { pause } from "@pro-talent/platform/runtime/wait";
import { Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { EpochUnknown, type KeyEpoch, type KeyStore, KeysUnavailable } from "./key-store.ts";

const StoredFile = z.object({ format: z.literal(1), wrappingKey: z.string(), sealed: z.base64() });
const StoredEpoch = z.object({ id: z.string(), begunAt: Instant, key: z.hex().length(64) });
const StoredEpochs = z.array(StoredEpoch);
type StoredEpoch = z.infer<typeof StoredEpoch>;
/** The content of the file, and the wrapping key it was sealed under. */
type Content = { readonly epochs: readonly StoredEpoch[]; readonly wrappingKey: string };

const boundToFile = "ledger key store";
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
): KeyStore {
  const [present] = wrappingKeys;
  if (wrappingKeys.some(({ length }) => length !== 32)) {
    throw new TypeError("A wrapping key has 32 bytes");
  }
  let known: ReadonlyMap<string, Buffer> = new Map();

  async function read(): Promise<Content> {
    const content = await readContent(file, wrappingKeys);
    known = new Map(content.epochs.map(({ id, key }) => [id, Buffer.from(key, "hex")]));
    return content;
  }

  /** What is returned is on disk. */
  async function change(of: (content: Content) => readonly StoredEpoch[]): Promise<void> {
    const lock = await lockFor(`${file}.lock`);
    try {
      const content = await read();
      const epochs = of(content);
      const isRotated = epochs.length > 0 && content.wrappingKey !== keyIdOf(present);
      if (epochs !== content.epochs || isRotated) await writeContent(file, present, epochs);
    } finally {
      lock.release();
    }
  }

  async function keyOf(id: string): Promise<Buffer> {
    if (!known.has(id)) await read();
    const key = known.get(id);
    if (key === undefined) throw new EpochUnknown(id);
    return key;
  }

  return {
    epochs: async () => (await read()).epochs.map(described),
    begin: async (at, after) => {
      await change(({ epochs }) => {
        const newest = epochs.at(-1);
        return newest?.id === after ? [...epochs, newEpoch(at, newest)] : epochs;
      });
      const newest = (await read()).epochs.at(-1);
      if (newest === undefined) throw new KeysUnavailable(["LEDGER_KEY_STORE"]);
      return described(newest);
    },
    destroy: async (id) => {
      await change(({ epochs }) => {
        const left = epochs.filter((epoch) => epoch.id !== id);
        return left.length === epochs.length ? epochs : left;
      });
    },
    wrap: async (id, key, boundTo) => seal(await keyOf(id), key, boundTo),
    unwrap: async (id, wrapped, boundTo) => unseal(await keyOf(id), wrapped, boundTo),
    renew: async () => {
      const { epochs, wrappingKey } = await read();
      if (epochs.length === 0 || wrappingKey === keyIdOf(present)) return false;
      await change((content) => content.epochs);
      return true;
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

async function readContent(file: string, wrappingKeys: readonly Buffer[]): Promise<Content> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new KeysUnavailable(["LEDGER_KEY_STORE"], { cause: error });
  });
  if (text === undefined) return { epochs: [], wrappingKey: "" };
  const stored = StoredFile.safeParse(parsedJson(text));
  if (!stored.success) throw new KeysUnavailable(["LEDGER_KEY_STORE"]);
  const { wrappingKey, sealed } = stored.data;
  const key = wrappingKeys.find((candidate) => keyIdOf(candidate) === wrappingKey);
  if (key === undefined) throw new KeysUnavailable(["LEDGER_WRAPPING_KEY"]);
  try {
    const plain = unseal(key, Buffer.from(sealed, "base64"), boundToFile);
    return { epochs: StoredEpochs.parse(parsedJson(plain.toString("utf8"))), wrappingKey };
  } catch (error) {
    if (!(error instanceof SealBroken || error instanceof z.ZodError)) throw error;
    throw new KeysUnavailable(["LEDGER_KEY_STORE"], { cause: error });
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
  wrappingKey: Buffer,
  epochs: readonly StoredEpoch[],
): Promise<void> {
  const sealed = seal(wrappingKey, Buffer.from(JSON.stringify(epochs), "utf8"), boundToFile);
  const stored: z.infer<typeof StoredFile> = {
    format: 1,
    wrappingKey: keyIdOf(wrappingKey),
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

async function lockFor(file: string): Promise<Lock> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return takeLock(file);
    } catch (error) {
      if (!(error instanceof LockHeld) || attempt === lockAttemptsMax) {
        throw new KeysUnavailable(["LEDGER_KEY_STORE"], { cause: error });
      }
      await pause(lockRetryMs, new AbortController().signal);
    }
  }
}
