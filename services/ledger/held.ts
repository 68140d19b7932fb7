import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { ConsentReceiptDocument } from "@pro-talent/schemas/privacy/consent-receipt";
import type { HeldRecord, HeldSection } from "@pro-talent/schemas/privacy/held-data";

import type { LedgerContext } from "./kernel/module.ts";
import type { DomainEvent, RecordedEvent } from "./kernel/types.ts";

/** The reader of a mailbox; null when its address is not known any more. */
export type AddressedPerson = { readonly email: () => Promise<string | null> };
type Holder = AddressedPerson & { readonly accountId: string };

/** What one domain holds about a person, in a form that they can read: by the account, or by the address. */
export type HeldSource<Person extends AddressedPerson = Holder> = {
  readonly section: HeldSection["section"];
  readonly collect: (context: LedgerContext, person: Person) => Promise<readonly HeldRecord[]>;
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

/** What one domain knows of the decisions of a person: of an account's holder, or by the address alone. */
export type ConsentSource<
  Person extends { readonly email: string | null } = {
    readonly accountId: string;
    readonly email: string | null;
  },
> = (context: LedgerContext, person: Person) => Promise<readonly ConsentFact[]>;
