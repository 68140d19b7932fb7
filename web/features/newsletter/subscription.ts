import type { Locale } from "@pro-talent/schemas/primitives/locale";

/** What a visitor has entered so far. `website` is filled in by programs only. */
export type Entry = { email: string; consent: boolean; website: string };
export const emptyEntry: Entry = { email: "", consent: false, website: "" };

/** What the visitor saw: the language, and the words that were agreed to. */
export type Shown = { language: Locale; consentText: string };
export type Wish = { entry: Entry; shown: Shown };

/** How the platform answered a subscription; when nothing answered, the call throws. */
export type Outcome =
  | { kind: "subscribed" }
  | { kind: "already" }
  | { kind: "refused"; text?: string };

/** What is to be said: a code that has its words in every language, or the server's own text. */
export type Trouble =
  | { code: "emailRequired" | "consentRequired" | "alreadySubscribed" | "network" | "refused" }
  | { code: "server"; text: string };

export type SubscriptionEvent =
  | { type: "changed"; entry: Entry }
  | { type: "submit"; shown: Shown };

/** What is missing before an entry can be sent (specification §5). */
export function missingIn(entry: Entry): "emailRequired" | "consentRequired" | undefined {
  if (entry.email.trim() === "") return "emailRequired";
  return entry.consent ? undefined : "consentRequired";
}

/** What to say after an outcome that is no subscription. */
export function troubleOf(outcome: Outcome): Trouble | undefined {
  if (outcome.kind === "subscribed") return undefined;
  if (outcome.kind === "already") return { code: "alreadySubscribed" };
  return outcome.text === undefined ? { code: "refused" } : { code: "server", text: outcome.text };
}
