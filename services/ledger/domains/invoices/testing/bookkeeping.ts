import { type ChargeTerms, chargeTerms, type TaxRate } from "@pro-talent/schemas/billing/prices";
import type { IssuedDocument } from "@pro-talent/schemas/invoices/document";
import type { InvoiceState, SeriesState } from "@pro-talent/schemas/invoices/events";
import { Day } from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { documentFacts } from "../document-facts.ts";
import { type InvoiceCommand, invoiceDecider } from "../invoice.decider.ts";
import { seriesDecider } from "../series/series.decider.ts";
import { invoiceEnvironment, type InvoiceSettings, invoiceSettings } from "../settings.ts";

export const account = "0b7d8c1a-3c5e-4f0a-9d52-6a8f1f2e3d04";
export const charge = "2f6d0c5b-7a9e-4c1d-8b3a-5e4f6a7b8c90";
export const vat: TaxRate = { name: "VAT", basisPoints: 1800, country: "IL" };

/** Settings from environment variables; a registered seller in Israel unless changed. */
export function settingsOf(variables: Readonly<Record<string, string>> = {}): InvoiceSettings {
  const registered = { SELLER_TAX_ID: "516000000", INVOICE_SHEKEL_RATES: "USD=3.65@2026-11-20" };
  return invoiceSettings(z.object(invoiceEnvironment).parse({ ...registered, ...variables }));
}

/** One month of a plan at this price. */
export function monthTerms(
  amount: number,
  { currency = "USD", taxes = [vat] }: { currency?: string; taxes?: readonly TaxRate[] } = {},
): ChargeTerms {
  const days = { from: "2026-11-22", to: "2026-12-22" };
  const line = { kind: "plan", plan: "essential", cycle: "monthly", ...days, amount } as const;
  return chargeTerms([line], currency, taxes);
}

/** The documents of one payment in memory: owed by the rules, issued by the rules of their series. */
export class Bookkeeping {
  state: InvoiceState = invoiceDecider.initialState;
  readonly documents: IssuedDocument[] = [];
  #series = new Map<string, SeriesState>();
  #settings: InvoiceSettings;

  constructor(settings = settingsOf()) {
    this.#settings = settings;
  }

  now: Instant = instantFromMs(Date.UTC(2026, 10, 22, 12));

  do(command: InvoiceCommand): void {
    const decision = invoiceDecider.decide(command, this.state, { now: this.now });
    if ("kind" in decision) throw new Error(decision.code);
    for (const event of decision) this.state = invoiceDecider.evolve(this.state, event, this.now);
  }

  /** Issues what is owed. */
  issue(on = "2026-11-22"): void {
    for (const owed of this.state.owed) {
      const { terms, invoice } = this.state;
      if (terms === null) throw new Error("No terms");
      const payment = { charge, account, terms, invoice };
      const settings = this.#settings;
      const facts = documentFacts(payment, owed, { language: "en", settings });
      const before = this.#series.get(owed.kind) ?? seriesDecider.initialState;
      const command = { type: "IssueDocument", facts, on: Day.parse(on), prefix: "X-" } as const;
      const decision = seriesDecider.decide(command, before, { now: this.now });
      if ("kind" in decision) throw new Error(decision.code);
      for (const event of decision) {
        this.#series.set(owed.kind, seriesDecider.evolve(before, event, this.now));
        this.documents.push(event.data);
        const { document, label, issuedOn, shekels } = event.data;
        this.do({ type: "RecordIssue", document, label, issuedOn, rate: shekels?.rate ?? null });
      }
    }
  }

  /** An amount of all documents: those of credit notes are taken off. */
  sum(amountOf: (document: IssuedDocument) => number): number {
    return this.documents.reduce(
      (all, document) => all + (document.kind === "invoice" ? 1 : -1) * amountOf(document),
      0,
    );
  }
}
