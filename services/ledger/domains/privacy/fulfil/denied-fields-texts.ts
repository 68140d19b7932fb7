import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { CorrectionField } from "@pro-talent/schemas/privacy/correction-fields";

type Texts = {
  /** Before the name of a field; its reason follows. */
  readonly mail: string;
  readonly fields: Readonly<Record<CorrectionField, string>>;
};

/** Fields that are denied while others are corrected, as mails name them. */
export const deniedFieldsTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    mail: "Not corrected",
    fields: {
      "full-name": "full name",
      phone: "phone number",
      address: "address",
      "preferred-language": "preferred language",
    },
  },
  he: {
    mail: "לא תוקן",
    fields: {
      "full-name": "שם מלא",
      phone: "מספר טלפון",
      address: "כתובת",
      "preferred-language": "שפה מועדפת",
    },
  },
};
