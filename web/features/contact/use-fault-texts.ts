import { useTranslation } from "react-i18next";

import type { ContactFaults } from "./contact-message.ts";

export type FaultTexts = Record<keyof ContactFaults, string | undefined>;

/** The words for what is wrong, by field. */
export function useFaultTexts(faults: ContactFaults): FaultTexts {
  const { t } = useTranslation("contact");
  const words = {
    nameRequired: t("errors.nameRequired"),
    emailRequired: t("errors.emailRequired"),
    emailInvalid: t("errors.emailInvalid"),
    subjectRequired: t("errors.subjectRequired"),
    messageRequired: t("errors.messageRequired"),
    messageTooShort: t("errors.messageTooShort"),
  };
  const say = (fault: keyof typeof words | undefined) =>
    fault === undefined ? undefined : words[fault];
  return {
    name: say(faults.name),
    email: say(faults.email),
    subject: say(faults.subject),
    message: say(faults.message),
  };
}
