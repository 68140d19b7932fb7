import aboutEn from "../i18n/en/about.json" with { type: "json" };
import accountApiEn from "../i18n/en/account-api.json" with { type: "json" };
import accountCommandsEn from "../i18n/en/account-commands.json" with { type: "json" };
import entryEn from "../i18n/en/account-entry.json" with { type: "json" };
import accountMailedEn from "../i18n/en/account-mailed.json" with { type: "json" };
import accountPrivacyEn from "../i18n/en/account-privacy.json" with { type: "json" };
import accountProfileEn from "../i18n/en/account-profile.json" with { type: "json" };
import accountSecurityEn from "../i18n/en/account-security.json" with { type: "json" };
import accountEn from "../i18n/en/account.json" with { type: "json" };
import analystQuestionsEn from "../i18n/en/analyst-questions.json" with { type: "json" };
import analystResultEn from "../i18n/en/analyst-result.json" with { type: "json" };
import analystViewsEn from "../i18n/en/analyst-views.json" with { type: "json" };
import analystWorkEn from "../i18n/en/analyst-work.json" with { type: "json" };
import analystEn from "../i18n/en/analyst.json" with { type: "json" };
import answerEn from "../i18n/en/answer.json" with { type: "json" };
import applicationEn from "../i18n/en/application.json" with { type: "json" };
import applicationsEn from "../i18n/en/applications.json" with { type: "json" };
import billingEn from "../i18n/en/billing.json" with { type: "json" };
import breachesEn from "../i18n/en/breaches.json" with { type: "json" };
import checkoutEn from "../i18n/en/checkout.json" with { type: "json" };
import consentSettingsEn from "../i18n/en/consent-settings.json" with { type: "json" };
import consentEn from "../i18n/en/consent.json" with { type: "json" };
import contactEn from "../i18n/en/contact.json" with { type: "json" };
import copyReviewEn from "../i18n/en/copy-review.json" with { type: "json" };
import cvChecksEn from "../i18n/en/cv-checks.json" with { type: "json" };
import cvEn from "../i18n/en/cv.json" with { type: "json" };
import dashboardEn from "../i18n/en/dashboard.json" with { type: "json" };
import certificateEn from "../i18n/en/deletion-certificate.json" with { type: "json" };
import documentDateEn from "../i18n/en/document-date.json" with { type: "json" };
import homeStoryEn from "../i18n/en/home-story.json" with { type: "json" };
import inactiveAccountsEn from "../i18n/en/inactive-accounts.json" with { type: "json" };
import ledgerHeadsEn from "../i18n/en/ledger-heads.json" with { type: "json" };
import legalChangesEn from "../i18n/en/legal-changes.json" with { type: "json" };
import linksEn from "../i18n/en/links.json" with { type: "json" };
import newsletterConfirmEn from "../i18n/en/newsletter-confirm.json" with { type: "json" };
import newsletterConfirmedEn from "../i18n/en/newsletter-confirmed.json" with { type: "json" };
import newsletterNeverEn from "../i18n/en/newsletter-never.json" with { type: "json" };
import newsletterPreferencesEn from "../i18n/en/newsletter-preferences.json" with { type: "json" };
import newsletterEn from "../i18n/en/newsletter.json" with { type: "json" };
import plansEn from "../i18n/en/plans.json" with { type: "json" };
import portfolioEn from "../i18n/en/portfolio.json" with { type: "json" };
import privacyCalendarEn from "../i18n/en/privacy-calendar.json" with { type: "json" };
import privacyConsoleEn from "../i18n/en/privacy-console.json" with { type: "json" };
import privacyMetricsEn from "../i18n/en/privacy-metrics.json" with { type: "json" };
import privacyRequestEn from "../i18n/en/privacy-request.json" with { type: "json" };
import processingEn from "../i18n/en/processing.json" with { type: "json" };
import reportedLinksEn from "../i18n/en/reported-links.json" with { type: "json" };
import shellEn from "../i18n/en/shell.json" with { type: "json" };
import statusEn from "../i18n/en/status.json" with { type: "json" };
import subscriptionEn from "../i18n/en/subscription.json" with { type: "json" };
import trafficEn from "../i18n/en/traffic.json" with { type: "json" };
import waitlistEn from "../i18n/en/waitlist.json" with { type: "json" };
import aboutHe from "../i18n/he/about.json" with { type: "json" };
import accountApiHe from "../i18n/he/account-api.json" with { type: "json" };
import accountCommandsHe from "../i18n/he/account-commands.json" with { type: "json" };
import entryHe from "../i18n/he/account-entry.json" with { type: "json" };
import accountMailedHe from "../i18n/he/account-mailed.json" with { type: "json" };
import accountPrivacyHe from "../i18n/he/account-privacy.json" with { type: "json" };
import accountProfileHe from "../i18n/he/account-profile.json" with { type: "json" };
import accountSecurityHe from "../i18n/he/account-security.json" with { type: "json" };
import accountHe from "../i18n/he/account.json" with { type: "json" };
import analystQuestionsHe from "../i18n/he/analyst-questions.json" with { type: "json" };
import analystResultHe from "../i18n/he/analyst-result.json" with { type: "json" };
import analystViewsHe from "../i18n/he/analyst-views.json" with { type: "json" };
import analystWorkHe from "../i18n/he/analyst-work.json" with { type: "json" };
import analystHe from "../i18n/he/analyst.json" with { type: "json" };
import answerHe from "../i18n/he/answer.json" with { type: "json" };
import applicationHe from "../i18n/he/application.json" with { type: "json" };
import applicationsHe from "../i18n/he/applications.json" with { type: "json" };
import billingHe from "../i18n/he/billing.json" with { type: "json" };
import breachesHe from "../i18n/he/breaches.json" with { type: "json" };
import checkoutHe from "../i18n/he/checkout.json" with { type: "json" };
import consentSettingsHe from "../i18n/he/consent-settings.json" with { type: "json" };
import consentHe from "../i18n/he/consent.json" with { type: "json" };
import contactHe from "../i18n/he/contact.json" with { type: "json" };
import copyReviewHe from "../i18n/he/copy-review.json" with { type: "json" };
import cvChecksHe from "../i18n/he/cv-checks.json" with { type: "json" };
import cvHe from "../i18n/he/cv.json" with { type: "json" };
import dashboardHe from "../i18n/he/dashboard.json" with { type: "json" };
import certificateHe from "../i18n/he/deletion-certificate.json" with { type: "json" };
import documentDateHe from "../i18n/he/document-date.json" with { type: "json" };
import homeStoryHe from "../i18n/he/home-story.json" with { type: "json" };
import inactiveAccountsHe from "../i18n/he/inactive-accounts.json" with { type: "json" };
import ledgerHeadsHe from "../i18n/he/ledger-heads.json" with { type: "json" };
import legalChangesHe from "../i18n/he/legal-changes.json" with { type: "json" };
import linksHe from "../i18n/he/links.json" with { type: "json" };
import newsletterConfirmHe from "../i18n/he/newsletter-confirm.json" with { type: "json" };
import newsletterConfirmedHe from "../i18n/he/newsletter-confirmed.json" with { type: "json" };
import newsletterNeverHe from "../i18n/he/newsletter-never.json" with { type: "json" };
import newsletterPreferencesHe from "../i18n/he/newsletter-preferences.json" with { type: "json" };
import newsletterHe from "../i18n/he/newsletter.json" with { type: "json" };
import plansHe from "../i18n/he/plans.json" with { type: "json" };
import portfolioHe from "../i18n/he/portfolio.json" with { type: "json" };
import privacyCalendarHe from "../i18n/he/privacy-calendar.json" with { type: "json" };
import privacyConsoleHe from "../i18n/he/privacy-console.json" with { type: "json" };
import privacyMetricsHe from "../i18n/he/privacy-metrics.json" with { type: "json" };
import privacyRequestHe from "../i18n/he/privacy-request.json" with { type: "json" };
import processingHe from "../i18n/he/processing.json" with { type: "json" };
import reportedLinksHe from "../i18n/he/reported-links.json" with { type: "json" };
import shellHe from "../i18n/he/shell.json" with { type: "json" };
import statusHe from "../i18n/he/status.json" with { type: "json" };
import subscriptionHe from "../i18n/he/subscription.json" with { type: "json" };
import trafficHe from "../i18n/he/traffic.json" with { type: "json" };
import waitlistHe from "../i18n/he/waitlist.json" with { type: "json" };

/** The texts by which journeys find elements. */
export const texts = {
  en: {
    about: aboutEn,
    account: {
      ...accountEn,
      commands: accountCommandsEn,
      signIn: { ...accountEn.signIn, ...entryEn.signIn },
    },
    api: accountApiEn,
    entry: { ...entryEn, ...accountMailedEn },
    privacy: accountPrivacyEn,
    documentDate: documentDateEn,
    legalChanges: legalChangesEn,
    settings: {
      ...accountProfileEn,
      ...accountSecurityEn,
      errors: { ...accountProfileEn.errors, ...accountSecurityEn.errors },
    },
    dashboard: dashboardEn,
    analyst: analystEn,
    "analyst-questions": analystQuestionsEn,
    "analyst-result": analystResultEn,
    "analyst-views": analystViewsEn,
    "analyst-work": analystWorkEn,
    answer: answerEn,
    consent: { ...consentEn, ...consentSettingsEn },
    contact: contactEn,
    privacyRequest: privacyRequestEn,
    confirm: newsletterConfirmEn,
    confirmed: newsletterConfirmedEn,
    never: newsletterNeverEn,
    preferences: newsletterPreferencesEn,
    heads: ledgerHeadsEn,
    certificate: certificateEn,
    homeStory: homeStoryEn,
    newsletter: newsletterEn,
    plans: plansEn,
    shell: shellEn,
    waitlist: waitlistEn,
    application: applicationEn,
    applications: applicationsEn,
    billing: billingEn,
    breaches: breachesEn,
    checkout: checkoutEn,
    status: statusEn,
    "privacy-calendar": privacyCalendarEn,
    "account-privacy": accountPrivacyEn,
    "copy-review": copyReviewEn,
    "privacy-console": privacyConsoleEn,
    "inactive-accounts": inactiveAccountsEn,
    "privacy-metrics": privacyMetricsEn,
    processing: processingEn,
    "reported-links": reportedLinksEn,
    subscription: subscriptionEn,
    links: linksEn,
    portfolio: portfolioEn,
    cv: { ...cvEn, checks: cvChecksEn },
    traffic: trafficEn,
  },
  he: {
    about: aboutHe,
    account: {
      ...accountHe,
      commands: accountCommandsHe,
      signIn: { ...accountHe.signIn, ...entryHe.signIn },
    },
    api: accountApiHe,
    entry: { ...entryHe, ...accountMailedHe },
    privacy: accountPrivacyHe,
    documentDate: documentDateHe,
    legalChanges: legalChangesHe,
    settings: {
      ...accountProfileHe,
      ...accountSecurityHe,
      errors: { ...accountProfileHe.errors, ...accountSecurityHe.errors },
    },
    dashboard: dashboardHe,
    analyst: analystHe,
    "analyst-questions": analystQuestionsHe,
    "analyst-result": analystResultHe,
    "analyst-views": analystViewsHe,
    "analyst-work": analystWorkHe,
    answer: answerHe,
    consent: { ...consentHe, ...consentSettingsHe },
    contact: contactHe,
    privacyRequest: privacyRequestHe,
    confirm: newsletterConfirmHe,
    confirmed: newsletterConfirmedHe,
    never: newsletterNeverHe,
    preferences: newsletterPreferencesHe,
    heads: ledgerHeadsHe,
    certificate: certificateHe,
    homeStory: homeStoryHe,
    newsletter: newsletterHe,
    plans: plansHe,
    shell: shellHe,
    waitlist: waitlistHe,
    application: applicationHe,
    applications: applicationsHe,
    billing: billingHe,
    breaches: breachesHe,
    checkout: checkoutHe,
    status: statusHe,
    "privacy-calendar": privacyCalendarHe,
    "account-privacy": accountPrivacyHe,
    "copy-review": copyReviewHe,
    "privacy-console": privacyConsoleHe,
    "inactive-accounts": inactiveAccountsHe,
    "privacy-metrics": privacyMetricsHe,
    processing: processingHe,
    "reported-links": reportedLinksHe,
    subscription: subscriptionHe,
    links: linksHe,
    portfolio: portfolioHe,
    cv: { ...cvHe, checks: cvChecksHe },
    traffic: trafficHe,
  },
} as const;
