import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { ConsentReceiptDocument } from "@pro-talent/schemas/privacy/consent-receipt";
import type { HeldRecord, HeldSection } from "@pro-talent/schemas/privacy/held-data";
import type { RecipientKind } from "@pro-talent/schemas/privacy/recipients";

import type { LedgerContext } from "./kernel/module.ts";
import type { DomainEvent, RecordedEvent } from "./kernel/types.ts";

/** The reader of a mailbox, as of when; the address is null when it is not known any more. */
export type AddressedPerson = {
  readonly at: Instant;
  readonly email: () => Promise<string | null>;
};
/** Whose data is collected, as of when. */
export type HeldPerson = { readonly accountId: string; readonly at: Instant };

/** What one domain holds about a person, in a form that they can read: by the account, or by the address. */
export type HeldSource<Person extends AddressedPerson = HeldPerson & AddressedPerson> = {
  readonly section: HeldSection["section"];
  readonly collect: (context: LedgerContext, person: Person) => Promise<readonly HeldRecord[]>;
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

/** A recipient of data of a person. `name`: of one that the person chose; `lastAt`: null while it goes on. */
export type KnownRecipient = {
  readonly recipient: RecipientKind;
  readonly name: string | null;
  readonly firstAt: Instant;
  readonly lastAt: Instant | null;
};

/** The recipients that one domain knows of. */
export type RecipientSource = (
  context: LedgerContext,
  person: HeldPerson,
) => Promise<readonly KnownRecipient[]>;

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
