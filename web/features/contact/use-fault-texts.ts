import { useTranslation } from "react-i18next";

import type { ContactFaults } from "./contact-message.ts";

export type FaultTexts = Record<keyof ContactFaults, string | undefined>;

/** Error texts by field. */
export function useFaultTexts(faults: ContactFaults): FaultTexts {
  const { t } = useTranslation("contact");
  const texts = {
    nameRequired: t("errors.nameRequired"),
    emailRequired: t("errors.emailRequired"),
    emailInvalid: t("errors.emailInvalid"),
    subjectRequired: t("errors.subjectRequired"),
    messageRequired: t("errors.messageRequired"),
    messageTooShort: t("errors.messageTooShort"),
  };
  const say = (fault: keyof typeof texts | undefined) =>
    fault === undefined ? undefined : texts[fault];
  return {
    name: say(faults.name),
    email: say(faults.email),
    subject: say(faults.subject),
    message: say(faults.message),
  };
}
