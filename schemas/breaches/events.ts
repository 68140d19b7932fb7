import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { breachLimits, dataCategories, peopleCategories } from "./kinds.ts";

const officer = { officerId: Uuid };

/** What is known of a breach, apart from what is written about it. */
export const BreachFacts = z.object({
  discoveredAt: Instant,
  /** Approximate numbers; corrected as more becomes known. */
  people: z.int().nonnegative().max(breachLimits.peopleMax),
  records: z.int().nonnegative().max(breachLimits.peopleMax),
  dataCategories: z.array(z.enum(dataCategories)).max(dataCategories.length),
  peopleCategories: z.array(z.enum(peopleCategories)).max(peopleCategories.length),
  /** Of the record of processing activities: `<store> <name>`. */
  stores: z.array(z.string().regex(/^[a-z]+ [^\n]{1,200}$/u)).max(200),
});
export type BreachFacts = z.infer<typeof BreachFacts>;

/** What officers write about a breach. It may name people: it is sealed under a key of the breach. */
const written = z.string().trim().max(breachLimits.textCharsMax);
export const BreachText = z.object({
  nature: written.min(1),
  consequences: written,
  measures: written,
});
export type BreachText = z.infer<typeof BreachText>;

/** Why a notice is sent, or is not; sealed with the decision. */
export const DecisionText = z.object({
  reason: z.string().trim().min(1).max(breachLimits.reasonCharsMax),
});

const facts = z.object({ ...officer, ...BreachFacts.shape });
const decided = z.object({ ...officer, notify: z.boolean() });
const notified = z.object({ ...officer, notifiedAt: Instant });

/** Events of a breach (`breach-<breachId>`), free of personal data. */
export const BreachEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("BreachRecorded"), data: facts }),
  /** Everything as it is known now; what was recorded before stays in the register. */
  z.object({ type: z.literal("BreachCorrected"), data: facts }),
  z.object({ type: z.literal("AuthorityDecided"), data: decided }),
  z.object({ type: z.literal("SubjectsDecided"), data: decided }),
  z.object({ type: z.literal("AuthorityNotified"), data: notified }),
  z.object({ type: z.literal("SubjectsNotified"), data: notified }),
  /** The officers were mailed so many hours after the discovery. */
  z.object({
    type: z.literal("OfficersWarned"),
    data: z.object({ hours: z.int().nonnegative() }),
  }),
  z.object({ type: z.literal("BreachClosed"), data: z.object(officer) }),
]);
export type BreachEvent = z.infer<typeof BreachEvent>;
