import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";

import type { AddressedPerson, HeldSource } from "../../held.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { newsletterSubscriber, readSubscriber } from "./subscribers.ts";

/** The subscription of a person, the issues that were sent, and whether their mailbox takes no more mail. */
export const newsletterHeld: HeldSource<AddressedPerson> = {
  section: "newsletter",
  collect: async function heldSubscription(context, { email }) {
    const address = await email();
    if (address === null) return [];
    const { ledger, subjects } = context;
    const ids = await subjects.idsOfAddress(newsletterSubscriber, address);
    const known = await Promise.all(ids.map((id) => readSubscriber({ ledger, subjects }, id)));
    return [
      ...known.flatMap((subscriber): HeldRecord[] =>
        subscriber === undefined
          ? []
          : [
              [
                { field: "email", text: subscriber.email },
                { field: "status", word: subscriber.state.status },
                { field: "language", word: subscriber.state.asked.language },
                { field: "frequency", word: subscriber.state.asked.frequency },
              ],
            ],
      ),
      ...(await deliveriesTo(ledger.sql, ids)),
      ...(await blockOf(context, address)),
    ];
  },
};

type Delivery = {
  readonly slug: string;
  readonly state: "waiting" | "sent" | "skipped" | "refused";
  readonly settled: Date | null;
};

async function deliveriesTo(sql: Queryable, ids: readonly string[]): Promise<HeldRecord[]> {
  const rows = await sql<Delivery[]>`
    select i.slug, d.state, d.settled_at as settled
      from ledger.issue_delivery d join ledger.newsletter_issue i using (issue_id)
     where d.subscriber_id = any (${ids}::uuid[]) order by d.settled_at, i.slug`;
  return rows.map(({ slug, state, settled }) => [
    { field: "issue", text: slug },
    { field: "status", word: state },
    ...(settled === null
      ? []
      : [{ field: "changed-at" as const, at: instantFromMs(settled.getTime()) }]),
  ]);
}

/** The list holds hashes: whether a mailbox is on it can be found, whose it is cannot. */
async function blockOf(
  { ledger, mailboxes }: LedgerContext,
  address: string,
): Promise<HeldRecord[]> {
  const rows = await ledger.sql<{ added: Date }[]>`
    select added_at as added from ledger.do_not_mail where mailbox = ${mailboxes.hashOf(address)}`;
  return rows.map(({ added }) => [
    { field: "status", word: "do-not-mail" },
    { field: "created-at", at: instantFromMs(added.getTime()) },
  ]);
}
