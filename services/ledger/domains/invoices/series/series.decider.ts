import type { DocumentFacts } from "@pro-talent/schemas/invoices/document";
import type { SeriesEvent, SeriesState } from "@pro-talent/schemas/invoices/events";
import { type Day, latestDay } from "@pro-talent/schemas/primitives/calendar";

import { type Decider, refuse } from "../../../kernel/types.ts";

/** Gives a document the next number of its series. */
export type IssueDocument = {
  readonly type: "IssueDocument";
  readonly facts: DocumentFacts;
  /** Today in the seller's zone. */
  readonly on: Day;
  /** What stands before the number: `INV-` or `INV-2026-`. */
  readonly prefix: string;
};

export type SeriesRefusalCode = "sums_differ";

const labelDigits = 6;

/**
 * A series of numbers: each document gets the next one in the moment it is issued, so that nothing that
 * fails before uses one up. Days never go back. A document that was issued before is recognised by the
 * id of its command, which the ledger keeps for ever, so that the state is the last number alone.
 */
export const seriesDecider: Decider<SeriesState, IssueDocument, SeriesEvent, SeriesRefusalCode> = {
  initialState: { last: 0, lastOn: null },
  decide: ({ facts, on, prefix }, { last, lastOn }) => {
    if (!addsUp(facts)) return refuse("sums_differ");
    const number = last + 1;
    const label = prefix + String(number).padStart(labelDigits, "0");
    const issuedOn = lastOn === null ? on : latestDay(on, lastOn);
    return [{ type: "DocumentIssued", data: { ...facts, number, label, issuedOn } }];
  },
  evolve: (_state, { data }) => ({ last: data.number, lastOn: data.issuedOn }),
};

/** Net and taxes are the total, and so are the lines, their taxes those of the whole. */
export function addsUp({ lines, net, taxes, total }: DocumentFacts): boolean {
  const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);
  const tax = sum(taxes.map(({ amount }) => amount));
  return (
    net + tax === total &&
    sum(lines.map(({ amount }) => amount)) === total &&
    sum(lines.map((line) => line.tax)) === tax
  );
}
