import { signedLine, type SigningKey } from "@pro-talent/platform/crypto/signed-text";
import {
  type ConsentReceiptDocument,
  OwnConsent,
  receiptPurpose,
} from "@pro-talent/schemas/privacy/consent-receipt";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";
import { v5 as uuidV5 } from "uuid";
import { z } from "zod";

import type { AddressedPerson, ConsentSource, HeldSource } from "../../held.ts";
import type { Addressed } from "../../kernel/erasers.ts";
import type { LedgerContext } from "../../kernel/module.ts";

/** Namespace of the ids of receipts: drawn at random once, fixed for ever. */
const receiptNamespace = "c1d6f1c4-6b0e-4a53-9a0d-6a8f0b0a7d52";

type Decided = { readonly accountId: string | null; readonly email: string | null };
type Known = Omit<ConsentReceiptDocument, "keyId">;
const Hashes = z.array(z.object({ position: z.int(), hash: z.string() }));

/** The decisions of an account's holder with their places in the ledger, the newest first. */
export async function consentsOf<Person extends Decided>(
  context: LedgerContext,
  sources: readonly ConsentSource<Person>[],
  person: Person,
): Promise<readonly Known[]> {
  const facts = (await Promise.all(sources.map((source) => source(context, person)))).flat();
  const positions = facts.map(({ position }) => position);
  const rows = await context.ledger.sql<object[]>`
    select pos::int as position, encode(hash, 'hex') as hash
      from ledger.event where pos = any (${positions}::bigint[])`;
  const hashes = new Map(Hashes.parse(rows).map(({ position, hash }) => [position, hash]));
  return facts
    .map(({ eventId, occurredAt, ...fact }) => ({
      ...fact,
      // An event may hold several decisions.
      receiptId: uuidV5(`${eventId} ${fact.subject}`, receiptNamespace),
      accountId: person.accountId,
      at: occurredAt,
      hash: hashes.get(fact.position) ?? "",
    }))
    .toSorted((a, b) => b.position - a.position || (a.subject < b.subject ? -1 : 1));
}

/** Without what only the signed receipt needs. */
export const consentView = (consent: Known): OwnConsent => OwnConsent.parse(consent);

/** A receipt as one line of JSON, which `verify.mjs` opens without asking the product. */
export const receiptOf = (key: SigningKey, consent: Known): string =>
  signedLine(key, receiptPurpose, { ...consent, keyId: key.id });

/** The decisions among everything that is held. */
export const consentsHeld = (sources: readonly ConsentSource[]): HeldSource => ({
  section: "consents",
  collect: async (context, { accountId, email }) =>
    (await consentsOf(context, sources, { accountId, email: await email() })).map(recordOf),
});

/** The same of a mailbox. */
export const mailboxConsentsHeld = (
  sources: readonly ConsentSource<Addressed>[],
): HeldSource<AddressedPerson> => ({
  section: "consents",
  collect: async (context, { email }) =>
    (await consentsOf(context, sources, { accountId: null, email: await email() })).map(recordOf),
});

const recordOf = ({ subject, decision, version, at }: Known): HeldRecord => [
  { field: "consent", word: subject },
  { field: "status", word: decision },
  ...(version === null ? [] : [{ field: "version" as const, text: version }]),
  { field: "created-at", at },
];
