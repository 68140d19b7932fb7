import { dayIn, dayPlusMonths, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";
import { handlingOf, recipientYears } from "@pro-talent/schemas/privacy/recipients";

import type { HeldPerson, HeldSource, KnownRecipient, RecipientSource } from "../../held.ts";
import type { LedgerContext } from "../../kernel/module.ts";

/**
 * The recipients of data of a person in the last three years. Nothing is recorded for it: each domain derives
 * it from what it has recorded anyway.
 */
export async function recipientsOf(
  context: LedgerContext,
  sources: readonly RecipientSource[],
  person: HeldPerson,
): Promise<readonly KnownRecipient[]> {
  const since = startOfDay(dayPlusMonths(dayIn(person.at, "UTC"), -12 * recipientYears), "UTC");
  const all = (await Promise.all(sources.map((source) => source(context, person)))).flat();
  return all.filter(({ lastAt }) => lastAt === null || lastAt >= since);
}

/** The recipients among everything that is held, and how each is notified. */
export const recipientsHeld = (sources: readonly RecipientSource[]): HeldSource => ({
  section: "recipients",
  collect: async (context, person) =>
    (await recipientsOf(context, sources, person)).map(
      ({ recipient, name, firstAt, lastAt }): HeldRecord => [
        { field: "recipient", word: recipient },
        ...(name === null ? [] : [{ field: "url" as const, text: name }]),
        { field: "created-at", at: firstAt },
        ...(lastAt === null ? [] : [{ field: "changed-at" as const, at: lastAt }]),
        { field: "on-correction", word: handlingOf[recipient].correction.why },
        { field: "on-deletion", word: handlingOf[recipient].deletion.why },
      ],
    ),
});
