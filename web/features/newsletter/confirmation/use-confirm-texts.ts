import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { useTranslation } from "react-i18next";

import type { ConfirmPlace } from "./confirm-view.ts";

/** `label` names the state in a word or two. */
export type ConfirmTexts = { label: string; title: string; body: string };

export function useConfirmTexts(place: ConfirmPlace): ConfirmTexts {
  const { t } = useTranslation("newsletter-confirm");
  const { confirmHours } = newsletterLimits;
  const texts = {
    idle: { label: t("idle.label"), title: t("idle.title"), body: t("idle.body") },
    used: { label: t("used.label"), title: t("used.title"), body: t("used.body") },
    expired: {
      label: t("expired.label"),
      title: t("expired.title"),
      body: t("expired.body", { hours: confirmHours }),
    },
    resent: { label: t("resent.label"), title: t("resent.title"), body: t("resent.body") },
    unknown: { label: t("unknown.label"), title: t("unknown.title"), body: t("unknown.body") },
  };
  if (place === "resending") return texts.expired;
  if (place === "used" || place === "expired" || place === "resent" || place === "unknown")
    return texts[place];
  return texts.idle;
}
