import {
  callService,
  readServiceFile,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalHeldCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { HeldRecord, HeldSection } from "@pro-talent/schemas/privacy/held-data";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";

import type { ContactOf } from "../../contacts.ts";
import type { AddressedPerson, HeldFile, HeldSource } from "../../held.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { requester } from "../../restriction.ts";
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

/** Files that the accounts service holds: the photo, if there is one. */
export function accountFilesOver(accounts: ServiceAddress) {
  return async function* filesOf(accountId: string): AsyncGenerator<HeldFile> {
    const path = `/internal/accounts/${accountId}/photo`;
    const content = await readServiceFile(accounts, path).catch((error: unknown) => {
      if (error instanceof ServiceRefusal && error.status === 404) return undefined;
      throw error;
    });
    if (content !== undefined) yield { name: "photo.webp", content };
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
const accountSections = ["profile", "public-page", "sign-in", "account"] as const;

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

/** Everything that is held about an account at a time; a store that does not answer is named, the rest is there. */
export async function heldAbout(
  context: LedgerContext,
  { sources, contactOf, accountHeld }: HeldParts,
  accountId: string,
  at: Instant,
): Promise<Held> {
  const email = contactOf(accountId).then((contact) => contact?.email ?? null);
  // Each source that needs the address waits for it, and fails with it.
  email.catch(() => undefined);
  const ofAccount = accountHeld(accountId).then(
    (sections): Held => ({ sections: [...sections], missing: [] }),
    (): Held => ({ sections: [], missing: [...accountSections] }),
  );
  const person = { accountId, at, email: () => email };
  const others = [...sources, requestsHeld].map((source) => partOf(context, source, person));
  return joined(await Promise.all([ofAccount, ...others]));
}

/** The same about a mailbox, without an account. @param forms whether also the requests by form */
export async function heldAboutMailbox(
  context: LedgerContext,
  { mailboxSources }: Pick<HeldParts, "mailboxSources">,
  { address, at }: { readonly address: string; readonly at: Instant },
  { forms }: { readonly forms: boolean } = { forms: true },
): Promise<Held> {
  const person = { at, email: async () => address };
  const sources = forms ? [...mailboxSources, formsHeld] : mailboxSources;
  return joined(await Promise.all(sources.map((source) => partOf(context, source, person))));
}

/** What is held about a mailbox, requests apart. @throws when a store does not answer */
export function mailboxHeldOver(
  context: LedgerContext,
  mailboxSources: HeldParts["mailboxSources"],
) {
  return async (address: string): Promise<readonly HeldSection[]> => {
    const whose = { address, at: instantFromMs(context.clock()) };
    const parts = { mailboxSources };
    const { sections, missing } = await heldAboutMailbox(context, parts, whose, { forms: false });
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
