import { readFileSync } from "node:fs";

import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { type Locale, locales } from "@pro-talent/schemas/primitives/locale";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";
import { clocksOf } from "@pro-talent/schemas/privacy/clocks";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";
import { expect, it } from "vitest";
import { z } from "zod";

const Texts: z.ZodType<Record<string, unknown>> = z.record(z.string(), z.unknown());

/** The text at a path, as in `retention.rows.visits.until`. */
function textOf(document: string, language: Locale, path: string): string {
  const file = new URL(`../../i18n/${language}/${document}.json`, import.meta.url);
  const texts: unknown = JSON.parse(readFileSync(file, "utf8"));
  return z
    .string()
    .parse(path.split(".").reduce<unknown>((part, name) => Texts.parse(part)[name], texts));
}

const dueDays = (() => {
  const at = instantFromMs(Date.UTC(2026, 0, 1));
  return Math.floor((Date.parse(clocksOf("access", at).dueAt) - Date.parse(at)) / 86_400_000);
})();

/** Where the policies state a period, and what the code keeps. */
const stated: readonly (readonly ["privacy" | "terms", string, readonly number[]])[] = [
  ["privacy", "retention.rows.visits.until", [retentionPeriods.visits.count]],
  ["privacy", "facts.records.detail", [retentionPeriods.visits.count]],
  ["privacy", "facts.answer.detail", [dueDays]],
  ["privacy", "sections.links.points.hash", [retentionPeriods.recognition.count]],
  [
    "privacy",
    "retention.rows.messages.until",
    [contactLimits.unsettledMonths, contactLimits.settledMonths],
  ],
  ["privacy", "retention.rows.account.until", [retentionPeriods.inactiveAccount.count]],
  ["terms", "sections.inactivity.body", [retentionPeriods.inactiveAccount.count]],
  ["privacy", "retention.rows.backups.until", [privacyLimits.backupDays]],
  ["privacy", "sections.requests.grace", [privacyLimits.graceDays, privacyLimits.backupDays]],
];

it.each(stated)(
  "the %s states at %s what the code does, in both languages",
  (document, path, figures) => {
    for (const language of locales) {
      const numbers = [...textOf(document, language, path).matchAll(/\d+/gu)].map(Number);
      expect([language, ...numbers]).toEqual([language, ...figures]);
    }
  },
);
