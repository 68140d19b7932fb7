/** Constants of the newsletter, free of the validator so that the browser can use them. */
export const subscribePath = "/api/newsletter/subscribe";

/** Calls behind the links in mails. The token in a link is the right to use it. */
export const newsletterPaths = {
  confirm: "/api/newsletter/confirm",
  resend: "/api/newsletter/resend",
  preferences: "/api/newsletter/preferences",
  preferencesLink: "/api/newsletter/preferences/link",
  unsubscribe: "/api/newsletter/unsubscribe",
  never: "/api/newsletter/never",
} as const;

/** The pages that the links open. */
export const newsletterPages = {
  confirm: "/newsletter/confirm",
  confirmed: "/newsletter/confirmed",
  preferences: "/newsletter/preferences",
  never: "/newsletter/never",
} as const;

/** Name of the button that unsubscribes, in the preference form that needs no scripts. */
export const leaveField = "leave";

/** Which form was used. */
export const sourceContexts = ["footer_form", "signup_page"] as const;
export type SourceContext = (typeof sourceContexts)[number];

/** `monthly` receives only the issues that are marked for monthly readers. */
export const newsletterFrequencies = ["weekly", "monthly"] as const;
export type NewsletterFrequency = (typeof newsletterFrequencies)[number];

export const newsletterTopics = ["updates", "features", "launch", "early_bird"] as const;
export type NewsletterTopic = (typeof newsletterTopics)[number];

export const newsletterTags = ["signup_page", "waitlist"] as const;
export type NewsletterTag = (typeof newsletterTags)[number];

/** The status that a repeated subscription is answered with (specification §8). */
export const alreadySubscribedStatus = "already_subscribed";
/** Words in an error text that mean the same. */
export const alreadySubscribedWords = "already subscribed";

export type SubscriptionDefaults = {
  preferences: { frequency: NewsletterFrequency; topics: readonly NewsletterTopic[] };
  tags: readonly NewsletterTag[];
};

/** What each form subscribes to (specification §3). */
export const subscriptionDefaults: Record<SourceContext, SubscriptionDefaults> = {
  footer_form: {
    preferences: { frequency: "weekly", topics: ["updates", "features"] },
    tags: [],
  },
  signup_page: {
    preferences: { frequency: "weekly", topics: ["launch", "updates", "early_bird"] },
    tags: ["signup_page", "waitlist"],
  },
};

/** Between services: a mail provider's reports about mails that did not arrive or were unwanted. */
export const bouncesPath = "/internal/newsletter/bounces";
/** The same, as the mails that mail servers send. */
export const mailReportsPath = "/internal/newsletter/mail-reports";

/** Sections of the page `/answer` that the newsletter's plain forms lead to. */
export const newsletterFormAnswers = [
  "subscribe-sent",
  "subscribe-already",
  "subscribe-incomplete",
  "subscribe-failed",
  "confirm-expired",
  "confirm-superseded",
  "confirm-used",
  "confirm-unknown",
  "resend-sent",
  "link-sent",
  "preferences-saved",
  "unsubscribed",
  "never-done",
  "never-failed",
] as const;
export type NewsletterFormAnswer = (typeof newsletterFormAnswers)[number];
