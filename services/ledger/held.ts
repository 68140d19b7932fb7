import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { HeldRecord, HeldSection } from "@pro-talent/schemas/privacy/held-data";

import type { LedgerContext } from "./kernel/module.ts";

/** What one domain holds about an account, in a form that its holder can read. */
export type HeldSource = {
  readonly section: HeldSection["section"];
  /** @param person.email asks for the address; null when the account is gone */
  readonly collect: (
    context: LedgerContext,
    person: { readonly accountId: string; readonly email: () => Promise<string | null> },
  ) => Promise<readonly HeldRecord[]>;
  /** Files that the person uploaded, each when it is asked for. */
  readonly files?: (
    context: LedgerContext,
    store: FileStore,
    accountId: string,
  ) => AsyncIterable<HeldFile>;
};

/** `name`: as the person named it. */
export type HeldFile = { readonly name: string; readonly content: Uint8Array };
