import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { ConsentReceiptDocument } from "@pro-talent/schemas/privacy/consent-receipt";
import type { HeldRecord, HeldSection } from "@pro-talent/schemas/privacy/held-data";

import type { LedgerContext } from "./kernel/module.ts";
import type { DomainEvent, RecordedEvent } from "./kernel/types.ts";

/** Whose data is collected, as of when. */
export type HeldPerson = { readonly accountId: string; readonly at: Instant };

/** What one domain holds about an account, in a form that its holder can read. */
export type HeldSource = {
  readonly section: HeldSection["section"];
  /** @param person.email asks for the address; null when the account is gone */
  readonly collect: (
    context: LedgerContext,
    person: HeldPerson & { readonly email: () => Promise<string | null> },
  ) => Promise<readonly HeldRecord[]>;
  /** Files of the person, each when it is asked for: no more than one is in memory. */
  readonly files?: (
    context: LedgerContext,
    store: FileStore,
    person: HeldPerson,
  ) => AsyncIterable<HeldFile>;
  /** Tables that are too long for a section, in the parts in which they arrive. */
  readonly tables?: (context: LedgerContext, person: HeldPerson) => readonly HeldTable[];
};

/** `name`: as the person named it. */
export type HeldFile = { readonly name: string; readonly content: Uint8Array };

/** `path`: within a package, as in `opens/opens.csv`. */
export type HeldTable = { readonly path: string; readonly content: AsyncIterable<Uint8Array> };

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
