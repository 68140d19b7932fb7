import { randomBytes } from "node:crypto";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { SealBroken } from "../crypto/seal.ts";
import { EpochUnknown, type KeyEpoch, type KeyStore, KeysUnavailable } from "./key-store.ts";

export type VaultOptions = {
  /** Address of the server and mount of the transit engine: `https://vault.example:8200/transit`. */
  readonly url: URL;
  /** May create, read, list and delete keys whose name begins with the prefix, and use them. */
  readonly token: string;
  /** Of the names of the keys. */
  readonly prefix: string;
  /** Name of the variable of the environment that leads here, for errors. */
  readonly setting: string;
};

const Listed = z.object({ data: z.object({ keys: z.array(z.string()) }) });
const Described = z.object({ data: z.object({ keys: z.record(z.string(), z.number()) }) });
const Encrypted = z.object({ data: z.object({ ciphertext: z.string() }) });
const Decrypted = z.object({ data: z.object({ plaintext: z.base64() }) });
const Refused = z.strictObject({ errors: z.array(z.string()) });

type Answer = { readonly status: number; readonly body: unknown; readonly setting: string };
type Ask = (method: string, path: string, body?: object) => Promise<Answer>;

const answerWithinMs = 5000;

/**
 * Epoch keys in Vault's transit engine, one key for each epoch: they never leave it. What is wrapped is
 * bound to its subject as associated data (AES-256-GCM). Replies as in Vault's API documentation; it was
 * not run against a real Vault.
 */
export function openVaultKeyStore({ prefix, ...options }: VaultOptions): KeyStore {
  const ask = asker(options);
  const nameOf = (id: string): string => `${prefix}-${id}`;
  let known: ReadonlySet<string> = new Set();

  async function epochs(): Promise<readonly KeyEpoch[]> {
    // The same as Vault's own method LIST.
    const listed = await ask("GET", "keys?list=true");
    const names = isNothing(listed) ? [] : read(Listed, listed).data.keys;
    const ids = names.flatMap((name) => idOf(prefix, name));
    const all = await Promise.all(ids.map((id) => described(ask, id, nameOf(id))));
    known = new Set(ids);
    return all
      .flat()
      .toSorted((a, b) => a.begunAt.localeCompare(b.begunAt) || a.id.localeCompare(b.id));
  }

  /** Vault makes a key that it does not know when it is asked to encrypt: a destroyed one would be back. */
  async function requireKnown(id: string): Promise<void> {
    if (!known.has(id)) await epochs();
    if (!known.has(id)) throw new EpochUnknown(id);
  }

  return {
    epochs,
    begin: async (_at, after) => {
      const before = (await epochs()).at(-1);
      if (before !== undefined && before.id !== after) return before;
      const id = randomBytes(4).toString("hex");
      const made = await ask("POST", `keys/${nameOf(id)}`, { type: "aes256-gcm96" });
      if (made.status >= 300) throw unusable(made);
      // By its id: of two within one second neither is the newer one.
      const epoch = (await epochs()).find((one) => one.id === id);
      if (epoch === undefined) throw unusable(made);
      return epoch;
    },
    destroy: async (id) => {
      const path = `keys/${nameOf(id)}`;
      const allowed = await ask("POST", `${path}/config`, { deletion_allowed: true });
      if (allowed.status >= 300 && !says(allowed, "no existing key named")) throw unusable(allowed);
      const deleted = await ask("DELETE", path);
      if (deleted.status >= 300 && !says(deleted, "could not delete key; not found")) {
        throw unusable(deleted);
      }
      // Only what is really gone counts as destroyed.
      if ((await epochs()).some((epoch) => epoch.id === id)) throw unusable(deleted);
    },
    ...ciphers({ ask, nameOf, requireKnown }),
    // Vault seals its own storage.
    renew: async () => false,
    isRenewed: async () => true,
  };
}

type Names = {
  readonly ask: Ask;
  readonly nameOf: (id: string) => string;
  readonly requireKnown: (id: string) => Promise<void>;
};

function ciphers({ ask, nameOf, requireKnown }: Names): Pick<KeyStore, "wrap" | "unwrap"> {
  return {
    wrap: async (id, key, boundTo) => {
      await requireKnown(id);
      const answer = await ask("POST", `encrypt/${nameOf(id)}`, {
        plaintext: Buffer.from(key).toString("base64"),
        associated_data: Buffer.from(boundTo, "utf8").toString("base64"),
      });
      return Buffer.from(read(Encrypted, answer).data.ciphertext, "utf8");
    },
    unwrap: async (id, wrapped, boundTo) => {
      await requireKnown(id);
      const answer = await ask("POST", `decrypt/${nameOf(id)}`, {
        ciphertext: Buffer.from(wrapped).toString("utf8"),
        associated_data: Buffer.from(boundTo, "utf8").toString("base64"),
      });
      if (says(answer, "encryption key not found")) throw new EpochUnknown(id);
      if (says(answer, "authentication failed") || says(answer, "invalid ciphertext")) {
        throw new SealBroken();
      }
      return Buffer.from(read(Decrypted, answer).data.plaintext, "base64");
    },
  };
}

function idOf(prefix: string, name: string): string[] {
  const id = name.startsWith(`${prefix}-`) ? name.slice(prefix.length + 1) : "";
  return /^[0-9a-f]{8}$/u.test(id) ? [id] : [];
}

/** @returns nothing when the key was destroyed meanwhile */
async function described(ask: Ask, id: string, name: string): Promise<KeyEpoch[]> {
  const answer = await ask("GET", `keys/${name}`);
  if (isNothing(answer)) return [];
  // Seconds since 1970 of each version; an epoch's key has one.
  const seconds = Math.min(...Object.values(read(Described, answer).data.keys));
  return [{ id, begunAt: instantFromMs(seconds * 1000) }];
}

/** @throws KeysUnavailable when the server does not answer, or with something else than JSON */
function asker({ url, token, setting }: Omit<VaultOptions, "prefix">): Ask {
  const base = `${url.origin}/v1${url.pathname.replace(/\/$/u, "")}`;
  return async (method, path, body) => {
    try {
      const response = await fetch(`${base}/${path}`, {
        method,
        headers: { "x-vault-token": token, "content-type": "application/json" },
        signal: AbortSignal.timeout(answerWithinMs),
        redirect: "error",
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const parsed: unknown = text === "" ? undefined : JSON.parse(text);
      return { status: response.status, body: parsed, setting };
    } catch (cause) {
      throw new KeysUnavailable([setting], { cause });
    }
  };
}

/** 404 with an empty list of errors; an engine that is not mounted names its route. */
function isNothing({ status, body }: Answer): boolean {
  const refused = Refused.safeParse(body);
  return status === 404 && refused.success && refused.data.errors.length === 0;
}

/** Whether a request was refused (400) for this reason. */
function says({ status, body }: Answer, reason: string): boolean {
  const refused = Refused.safeParse(body);
  return status === 400 && refused.success && refused.data.errors.some((e) => e.includes(reason));
}

function read<Contract extends z.ZodType>(contract: Contract, answer: Answer): z.infer<Contract> {
  const parsed = contract.safeParse(answer.body);
  if (answer.status !== 200 || !parsed.success) throw unusable(answer);
  return parsed.data;
}

/** The text of an answer is left out: it may quote what was sent. */
function unusable({ status, setting }: Answer): KeysUnavailable {
  return new KeysUnavailable([setting], {
    cause: new Error(`Vault answered ${status}`),
  });
}
