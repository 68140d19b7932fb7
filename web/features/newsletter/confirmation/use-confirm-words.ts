import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { useTranslation } from "react-i18next";

import type { ConfirmPlace } from "./confirm-view.ts";

/** `stamp` says in two words how the link stands. */
export type ConfirmWords = { stamp: string; title: string; body: string };

/** What the slip says in each place. */
export function useConfirmWords(place: ConfirmPlace): ConfirmWords {
  const { t } = useTranslation("newsletter-confirm");
  const { confirmHours } = newsletterLimits;
  const words = {
    idle: { stamp: t("idle.stamp"), title: t("idle.title"), body: t("idle.body") },
    used: { stamp: t("used.stamp"), title: t("used.title"), body: t("used.body") },
    expired: {
      stamp: t("expired.stamp"),
      title: t("expired.title"),
      body: t("expired.body", { hours: confirmHours }),
    },
    resent: { stamp: t("resent.stamp"), title: t("resent.title"), body: t("resent.body") },
    unknown: { stamp: t("unknown.stamp"), title: t("unknown.title"), body: t("unknown.body") },
  };
  if (place === "resending") return words.expired;
  if (place === "used" || place === "expired" || place === "resent" || place === "unknown")
    return words[place];
  return words.idle;
}
