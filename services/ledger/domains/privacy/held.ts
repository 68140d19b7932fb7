import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalHeldCalls } from "@pro-talent/schemas/accounts/internal-calls";
import type { HeldRecord, HeldSection } from "@pro-talent/schemas/privacy/held-data";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";

import type { ContactOf } from "../../contacts.ts";
import type { AddressedPerson, HeldSource } from "../../held.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { requester } from "./own-requests.ts";
import { type RequestRow, requestsNamed, requestsOf } from "./read-models.ts";

const requestsHeld: HeldSource = {
  section: "requests",
  collect: async ({ ledger }, { accountId }) =>
    (await requestsOf(ledger.sql, accountId)).map(recordOf),
};

/** Requests by the public form, as long as they hold the address. */
const formsHeld: HeldSource<AddressedPerson> = {
  section: "requests",
  collect: async ({ ledger, subjects }, { email }) => {
    const address = await email();
    const ids = address === null ? [] : await subjects.idsOfAddress(requester, address);
    const rows = await requestsNamed(ledger.sql, ids);
    return rows.filter(({ accountId }) => accountId === null).map(recordOf);
  },
};

const recordOf = ({ type, status, receivedAt }: RequestRow): HeldRecord => [
  { field: "request", word: type },
  { field: "status", word: publicStatusOf[status] },
  { field: "created-at", at: receivedAt },
];

/** Asks the accounts service for what it holds: the profile, and how the account is signed in to. */
export function accountHeldOver(accounts: ServiceAddress) {
  const call = callService(accounts, internalHeldCalls);
  return async (accountId: string): Promise<readonly HeldSection[]> => {
    const held = "GET /internal/accounts/:accountId/held";
    return (await call(held, { params: { accountId } })).sections;
  };
}

export type HeldParts = {
  readonly sources: readonly HeldSource[];
  /** What is found by an address, without an account. */
  readonly mailboxSources: readonly HeldSource<AddressedPerson>[];
  readonly contactOf: ContactOf;
  readonly accountHeld: (accountId: string) => Promise<readonly HeldSection[]>;
};

type Section = HeldSection["section"];

/** Of the accounts service. */
const accountSections = ["profile", "sign-in"] as const;

/** The sections of everything that may be held about an account. */
export const sectionsOf = ({ sources }: HeldParts): readonly Section[] => [
  ...accountSections,
  ...[...sources, requestsHeld].map(({ section }) => section),
];

/** The same about a mailbox. */
export const mailboxSectionsOf = ({ mailboxSources }: HeldParts): readonly Section[] =>
  [...mailboxSources, formsHeld].map(({ section }) => section);

export type Held = {
  readonly sections: HeldSection[];
  /** Sections whose store did not answer. */
  readonly missing: Section[];
};

/** Everything that is held about an account; a store that does not answer is named, the rest is there. */
export async function heldAbout(
  context: LedgerContext,
  { sources, contactOf, accountHeld }: HeldParts,
  accountId: string,
): Promise<Held> {
  const email = contactOf(accountId).then((contact) => contact?.email ?? null);
  // Each source that needs the address waits for it, and fails with it.
  email.catch(() => undefined);
  const ofAccount = accountHeld(accountId).then(
    (sections): Held => ({ sections: [...sections], missing: [] }),
    (): Held => ({ sections: [], missing: [...accountSections] }),
  );
  const person = { accountId, email: () => email };
  const others = [...sources, requestsHeld].map((source) => partOf(context, source, person));
  return joined(await Promise.all([ofAccount, ...others]));
}

/** The same about a mailbox, without an account. @param forms whether also the requests by form */
export async function heldAboutMailbox(
  context: LedgerContext,
  { mailboxSources }: Pick<HeldParts, "mailboxSources">,
  address: string,
  { forms }: { readonly forms: boolean } = { forms: true },
): Promise<Held> {
  const person = { email: async () => address };
  const sources = forms ? [...mailboxSources, formsHeld] : mailboxSources;
  return joined(await Promise.all(sources.map((source) => partOf(context, source, person))));
}

/** What is held about a mailbox, requests apart. @throws when a store does not answer */
export function mailboxHeldOver(
  context: LedgerContext,
  mailboxSources: HeldParts["mailboxSources"],
) {
  return async (address: string): Promise<readonly HeldSection[]> => {
    const parts = { mailboxSources };
    const { sections, missing } = await heldAboutMailbox(context, parts, address, { forms: false });
    if (missing.length > 0) throw new Error(`No answer: ${missing.join(", ")}`);
    return sections;
  };
}

async function partOf<Person extends AddressedPerson>(
  context: LedgerContext,
  { section, collect }: HeldSource<Person>,
  person: Person,
): Promise<Held> {
  try {
    return { sections: [{ section, records: [...(await collect(context, person))] }], missing: [] };
  } catch {
    return { sections: [], missing: [section] };
  }
}

const joined = (parts: readonly Held[]): Held => ({
  sections: parts.flatMap(({ sections }) => sections.filter(({ records }) => records.length > 0)),
  missing: parts.flatMap(({ missing }) => missing),
});
