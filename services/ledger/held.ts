import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { ConsentReceiptDocument } from "@pro-talent/schemas/privacy/consent-receipt";
import type { HeldRecord, HeldSection } from "@pro-talent/schemas/privacy/held-data";

import type { LedgerContext } from "./kernel/module.ts";
import type { DomainEvent, RecordedEvent } from "./kernel/types.ts";

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

/** A decision of an account's holder, as an event of the domain has it. */
export type ConsentFact = Pick<
  ConsentReceiptDocument,
  "subject" | "decision" | "version" | "language" | "textHash"
> &
  Pick<RecordedEvent<DomainEvent>, "eventId" | "position" | "occurredAt">;

/** What one domain knows of the decisions of an account's holder. */
export type ConsentSource = (
  context: LedgerContext,
  person: { readonly accountId: string; readonly email: string | null },
) => Promise<readonly ConsentFact[]>;
