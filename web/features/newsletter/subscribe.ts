import type { Locale } from "@pro-talent/schemas/primitives/locale";

/** The entered values. Only programs fill in `website`. */
export type Entry = { email: string; consent: boolean; website: string };
export const emptyEntry: Entry = { email: "", consent: false, website: "" };

/** The shown language and the text that was agreed to. */
export type Shown = { language: Locale; consentText: string };
export type SubscribeInput = { entry: Entry; shown: Shown };

/** The call throws when there is no answer. */
export type SubscribeResult =
  | { kind: "subscribed" }
  | { kind: "already" }
  | { kind: "refused"; text?: string };

/** A code with a text in every language, or the server's own text. */
export type Trouble =
  | { code: "emailRequired" | "consentRequired" | "alreadySubscribed" | "network" | "refused" }
  | { code: "server"; text: string };

export type SubscribeEvent = { type: "changed"; entry: Entry } | { type: "submit"; shown: Shown };

/** The missing field, if any (specification §5). */
export function missingIn(entry: Entry): "emailRequired" | "consentRequired" | undefined {
  if (entry.email.trim() === "") return "emailRequired";
  return entry.consent ? undefined : "consentRequired";
}

/** The message for a failed result; undefined after success. */
export function troubleOf(result: SubscribeResult): Trouble | undefined {
  if (result.kind === "subscribed") return undefined;
  if (result.kind === "already") return { code: "alreadySubscribed" };
  return result.text === undefined ? { code: "refused" } : { code: "server", text: result.text };
}
