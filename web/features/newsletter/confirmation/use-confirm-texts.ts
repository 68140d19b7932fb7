import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { useTranslation } from "react-i18next";

import type { ConfirmPlace } from "./confirm-view.ts";

/** `stamp` is a short label of the state. */
export type ConfirmTexts = { stamp: string; title: string; body: string };

export function useConfirmTexts(place: ConfirmPlace): ConfirmTexts {
  const { t } = useTranslation("newsletter-confirm");
  const { confirmHours } = newsletterLimits;
  const texts = {
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
  if (place === "resending") return texts.expired;
  if (place === "used" || place === "expired" || place === "resent" || place === "unknown")
    return texts[place];
  return texts.idle;
}
