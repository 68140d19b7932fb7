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

/** The settings that keys come from. */
export type KeySetting = "LEDGER_WRAPPING_KEY" | "LEDGER_LOOKUP_KEY" | "LEDGER_KEY_STORE";

/** Keys are wrong or missing, so nothing is sealed or opened. Names the settings, never a value. */
export class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
  readonly code: string;
  readonly settings: readonly KeySetting[];

  constructor(settings: readonly KeySetting[], options?: ErrorOptions) {
    super(`Not the keys of this ledger: ${settings.join(", ")}`, options);
    this.settings = settings;
    this.code = settings.join(", ");
  }
}
