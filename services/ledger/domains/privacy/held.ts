import {
  callService,
  readServiceFile,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalHeldCalls } from "@pro-talent/schemas/accounts/internal-calls";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { HeldSection } from "@pro-talent/schemas/privacy/held-data";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";

import type { ContactOf } from "../../contacts.ts";
import type { HeldFile, HeldSource } from "../../held.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { requestsOf } from "./read-models.ts";

const requestsHeld: HeldSource = {
  section: "requests",
  collect: async ({ ledger }, { accountId }) =>
    (await requestsOf(ledger.sql, accountId)).map(({ type, status, receivedAt }) => [
      { field: "request", word: type },
      { field: "status", word: publicStatusOf[status] },
      { field: "created-at", at: receivedAt },
    ]),
};

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
  readonly contactOf: ContactOf;
  readonly accountHeld: (accountId: string) => Promise<readonly HeldSection[]>;
};

/** Of the accounts service. */
const accountSections = ["profile", "public-page", "sign-in", "account"] as const;

/** The sections of everything that may be held. */
export const sectionsOf = ({ sources }: HeldParts): readonly HeldSection["section"][] => [
  ...accountSections,
  ...[...sources, requestsHeld].map(({ section }) => section),
];

type Held = {
  readonly sections: HeldSection[];
  /** Sections whose store did not answer. */
  readonly missing: HeldSection["section"][];
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
  const others = [...sources, requestsHeld].map(async ({ section, collect }): Promise<Held> => {
    try {
      const records = await collect(context, { accountId, at, email: () => email });
      return { sections: [{ section, records: [...records] }], missing: [] };
    } catch {
      return { sections: [], missing: [section] };
    }
  });
  const parts = await Promise.all([ofAccount, ...others]);
  return {
    sections: parts.flatMap(({ sections }) => sections.filter(({ records }) => records.length > 0)),
    missing: parts.flatMap(({ missing }) => missing),
  };
}
