import aboutEn from "../i18n/en/about.json" with { type: "json" };
import consentEn from "../i18n/en/consent.json" with { type: "json" };
import plansEn from "../i18n/en/plans.json" with { type: "json" };
import shellEn from "../i18n/en/shell.json" with { type: "json" };
import aboutHe from "../i18n/he/about.json" with { type: "json" };
import consentHe from "../i18n/he/consent.json" with { type: "json" };
import plansHe from "../i18n/he/plans.json" with { type: "json" };
import shellHe from "../i18n/he/shell.json" with { type: "json" };

/** The words by which journeys find things, as a reader of each language finds them. */
export const words = {
  en: { about: aboutEn, consent: consentEn, plans: plansEn, shell: shellEn },
  he: { about: aboutHe, consent: consentHe, plans: plansHe, shell: shellHe },
} as const;
