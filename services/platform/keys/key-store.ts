import type { Instant } from "@pro-talent/schemas/primitives/instant";

/** A key that wraps the keys of data subjects, named by 8 hexadecimal digits. */
export type KeyEpoch = { readonly id: string; readonly begunAt: Instant };

/** Keeps the keys of epochs outside the database. Processes share one store. */
export type KeyStore = {
  /**
   * The epochs whose key exists, the oldest first; read anew each time.
   * @throws KeysUnavailable
   */
  readonly epochs: () => Promise<readonly KeyEpoch[]>;
  /**
   * Makes a key. It outlives a power cut once this returns.
   * @param after the newest epoch that the caller knows; when there is a newer one, that is returned
   */
  readonly begin: (at: Instant, after: string | undefined) => Promise<KeyEpoch>;
  /** Destroys a key for good; may be repeated. */
  readonly destroy: (id: string) => Promise<void>;
  /** @throws EpochUnknown; KeysUnavailable */
  readonly wrap: (id: string, key: Uint8Array, boundTo: string) => Promise<Buffer>;
  /** @throws EpochUnknown; SealBroken; KeysUnavailable */
  readonly unwrap: (id: string, wrapped: Uint8Array, boundTo: string) => Promise<Buffer>;
  /** Puts the store itself under the present wrapping key. @returns whether it was under another one */
  readonly renew: () => Promise<boolean>;
  /** Whether no former wrapping key is needed to open the store. */
  readonly isRenewed: () => Promise<boolean>;
};

/** The store has no key of this epoch: it was destroyed, or this is the store of another ledger. */
export class EpochUnknown extends Error {
  override readonly name = "EpochUnknown";
  readonly code: string;

  constructor(id: string) {
    super(`The key store has no key of epoch ${id}`);
    this.code = id;
  }
}

/** What a key store is called: its content is bound to its name, and errors name its settings. */
export type KeyStoreNames = {
  readonly boundTo: string;
  /** Names of the variables of the environment. */
  readonly wrappingKey: string;
  readonly store: string;
};

/** Keys are wrong or missing, so nothing is sealed or opened. Names the settings, never a value. */
export class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
  readonly code: string;
  readonly settings: readonly string[];

  constructor(settings: readonly string[], options?: ErrorOptions) {
    super(`Not the keys of this database: ${settings.join(", ")}`, options);
    this.settings = settings;
    this.code = settings.join(", ");
  }
}
