import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { useTranslation } from "react-i18next";

import type { Outcome } from "./outcomes.ts";

export type OutcomeWords = { title: string; body: string };

/** What happened, and what to do. */
export function useOutcomeWords(): Record<Outcome, OutcomeWords> {
  const { t } = useTranslation("answer");
  const hours = newsletterLimits.confirmHours;
  return {
    "contact-received": { title: t("contactReceived.title"), body: t("contactReceived.body") },
    "contact-incomplete": {
      title: t("contactIncomplete.title"),
      body: t("contactIncomplete.body"),
    },
    "contact-failed": { title: t("contactFailed.title"), body: t("contactFailed.body") },
    "subscribe-sent": {
      title: t("subscribeSent.title"),
      body: t("subscribeSent.body", { hours }),
    },
    "subscribe-already": { title: t("subscribeAlready.title"), body: t("subscribeAlready.body") },
    "subscribe-incomplete": {
      title: t("subscribeIncomplete.title"),
      body: t("subscribeIncomplete.body"),
    },
    "subscribe-failed": { title: t("subscribeFailed.title"), body: t("subscribeFailed.body") },
    "confirm-expired": {
      title: t("confirmExpired.title"),
      body: t("confirmExpired.body", { hours }),
    },
    "confirm-used": { title: t("confirmUsed.title"), body: t("confirmUsed.body") },
    "confirm-unknown": { title: t("confirmUnknown.title"), body: t("confirmUnknown.body") },
    "resend-sent": { title: t("resendSent.title"), body: t("resendSent.body") },
    "preferences-saved": { title: t("preferencesSaved.title"), body: t("preferencesSaved.body") },
    unsubscribed: { title: t("unsubscribed.title"), body: t("unsubscribed.body") },
  };
}
