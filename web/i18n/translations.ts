import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { launch } from "@pro-talent/schemas/site/launch";
import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";

import type about from "./en/about.json";
import type accessibility from "./en/accessibility.json";
import type accountApi from "./en/account-api.json";
import type accountCommands from "./en/account-commands.json";
import type accountEntry from "./en/account-entry.json";
import type accountMailed from "./en/account-mailed.json";
import type accountPrivacy from "./en/account-privacy.json";
import type accountProfile from "./en/account-profile.json";
import type accountSecurity from "./en/account-security.json";
import type account from "./en/account.json";
import type analystQuestions from "./en/analyst-questions.json";
import type analystResult from "./en/analyst-result.json";
import type analystViews from "./en/analyst-views.json";
import type analystWork from "./en/analyst-work.json";
import type analyst from "./en/analyst.json";
import type answer from "./en/answer.json";
import type application from "./en/application.json";
import type applications from "./en/applications.json";
import type atsFriendlyResume from "./en/ats-friendly-resume.json";
import type atsStory from "./en/ats-story.json";
import type billing from "./en/billing.json";
import type breaches from "./en/breaches.json";
import type checkout from "./en/checkout.json";
import type consentSettings from "./en/consent-settings.json";
import type consent from "./en/consent.json";
import type contact from "./en/contact.json";
import type cookiePolicy from "./en/cookie-policy.json";
import type copyReview from "./en/copy-review.json";
import type cvChecks from "./en/cv-checks.json";
import type cv from "./en/cv.json";
import type dashboard from "./en/dashboard.json";
import type deletionCertificate from "./en/deletion-certificate.json";
import type doNotSell from "./en/do-not-sell.json";
import type documentDate from "./en/document-date.json";
import type homeStory from "./en/home-story.json";
import type home from "./en/home.json";
import type inactiveAccounts from "./en/inactive-accounts.json";
import type ledgerHeads from "./en/ledger-heads.json";
import type legalChanges from "./en/legal-changes.json";
import type legal from "./en/legal.json";
import type links from "./en/links.json";
import type newsletterConfirm from "./en/newsletter-confirm.json";
import type newsletterConfirmed from "./en/newsletter-confirmed.json";
import type newsletterNever from "./en/newsletter-never.json";
import type newsletterPreferences from "./en/newsletter-preferences.json";
import type newsletter from "./en/newsletter.json";
import type notFound from "./en/not-found.json";
import type plans from "./en/plans.json";
import type portfolio from "./en/portfolio.json";
import type pricing from "./en/pricing.json";
import type privacyCalendar from "./en/privacy-calendar.json";
import type privacyConsole from "./en/privacy-console.json";
import type privacyMetrics from "./en/privacy-metrics.json";
import type privacyRequest from "./en/privacy-request.json";
import type privacyStatus from "./en/privacy-status.json";
import type privacy from "./en/privacy.json";
import type proTalentMeaning from "./en/pro-talent-meaning.json";
import type processing from "./en/processing.json";
import type reportedLinks from "./en/reported-links.json";
import type shell from "./en/shell.json";
import type signup from "./en/signup.json";
import type status from "./en/status.json";
import type subscription from "./en/subscription.json";
import type terms from "./en/terms.json";
import type traffic from "./en/traffic.json";
import type waitlist from "./en/waitlist.json";
import type whatIsAts from "./en/what-is-ats.json";

/**
 * The sections of a legal text are read together, never one by one. Without their keys the compiler
 * can list the keys of all namespaces at once.
 */
type LegalText<Texts> = Omit<Texts, "sections"> & {
  sections: Record<string, { title: string } & Record<string, string | Record<string, string>>>;
};

/** One namespace is one file per language; the English file defines the type of both. */
export type Translations = {
  about: typeof about;
  accessibility: LegalText<typeof accessibility>;
  account: typeof account;
  "account-api": typeof accountApi;
  "account-commands": typeof accountCommands;
  "account-entry": typeof accountEntry;
  "account-mailed": typeof accountMailed;
  "account-privacy": typeof accountPrivacy;
  "account-profile": typeof accountProfile;
  "account-security": typeof accountSecurity;
  "analyst-work": typeof analystWork;
  analyst: typeof analyst;
  "analyst-questions": typeof analystQuestions;
  "analyst-result": typeof analystResult;
  "analyst-views": typeof analystViews;
  answer: typeof answer;
  application: typeof application;
  applications: typeof applications;
  "ats-friendly-resume": typeof atsFriendlyResume;
  "ats-story": typeof atsStory;
  billing: typeof billing;
  breaches: typeof breaches;
  checkout: typeof checkout;
  consent: typeof consent;
  "consent-settings": typeof consentSettings;
  contact: typeof contact;
  "cookie-policy": LegalText<typeof cookiePolicy>;
  cv: typeof cv;
  "cv-checks": typeof cvChecks;
  dashboard: typeof dashboard;
  "deletion-certificate": typeof deletionCertificate;
  "document-date": typeof documentDate;
  "do-not-sell": LegalText<typeof doNotSell>;
  home: typeof home;
  "home-story": typeof homeStory;
  "ledger-heads": LegalText<typeof ledgerHeads>;
  legal: typeof legal;
  "legal-changes": typeof legalChanges;
  newsletter: typeof newsletter;
  "newsletter-confirm": typeof newsletterConfirm;
  "newsletter-confirmed": typeof newsletterConfirmed;
  "newsletter-never": typeof newsletterNever;
  "newsletter-preferences": typeof newsletterPreferences;
  "not-found": typeof notFound;
  plans: typeof plans;
  pricing: typeof pricing;
  privacy: LegalText<typeof privacy>;
  "privacy-calendar": typeof privacyCalendar;
  "copy-review": typeof copyReview;
  "privacy-console": typeof privacyConsole;
  "inactive-accounts": typeof inactiveAccounts;
  "privacy-request": typeof privacyRequest;
  "privacy-status": typeof privacyStatus;
  "privacy-metrics": typeof privacyMetrics;
  processing: typeof processing;
  "pro-talent-meaning": typeof proTalentMeaning;
  "reported-links": typeof reportedLinks;
  shell: typeof shell;
  signup: typeof signup;
  status: typeof status;
  subscription: typeof subscription;
  terms: LegalText<typeof terms>;
  links: typeof links;
  portfolio: typeof portfolio;
  traffic: typeof traffic;
  waitlist: typeof waitlist;
  "what-is-ats": typeof whatIsAts;
};
export type Namespace = keyof Translations;

/** The `handle` of a route of the signed-in area: what its page needs of the translations. */
export type PageTexts = {
  namespaces: readonly Namespace[];
  /** The title without the product name; called when the namespaces are loaded. */
  title: (translator: i18n) => string;
};

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shell";
    resources: Translations;
  }
}

export type Texts = { readonly [key: string]: string | Texts };

type TextFiles = Record<string, () => Promise<Texts>>;

/** Each area adds its own: neither carries the names of the files of the other. */
export const textFiles: TextFiles = {};

/** The texts for the state of the launch: once it is open, `key_open` replaces `key`. */
function textsOfLaunch(texts: Texts): Texts {
  const shown: Record<string, string | Texts> = {};
  for (const key in texts) {
    const text = (launch.state === "open" && texts[`${key}_open`]) || texts[key];
    if (text !== undefined && !key.endsWith("_open"))
      shown[key] = typeof text === "string" ? text : textsOfLaunch(text);
  }
  return shown;
}

/** A translator without texts; `loadTranslations` adds them. */
export function createTranslator(language: Locale): i18n {
  const translator = createInstance();
  translator.use(initReactI18next);
  void translator.init({
    lng: language,
    fallbackLng: false,
    supportedLngs: ["en", "he"],
    ns: [],
    defaultNS: "shell",
    resources: {},
    initAsync: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: "" },
  });
  return translator;
}

/**
 * Loads the missing namespaces of one language.
 * @throws when a file cannot be fetched
 */
export async function loadTranslations(
  translator: i18n,
  language: Locale,
  namespaces: readonly Namespace[],
): Promise<void> {
  const missing = namespaces.filter((name) => !translator.hasResourceBundle(language, name));
  await Promise.all(
    missing.map(async (name) => {
      const load = textFiles[`./${language}/${name}.json`];
      if (load === undefined) throw new Error(`no texts: ${name}`);
      translator.addResourceBundle(language, name, textsOfLaunch(await load()), false, false);
    }),
  );
}
