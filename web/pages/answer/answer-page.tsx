import type { ContactFormAnswer } from "@pro-talent/schemas/contact/categories";
import type { NewsletterFormAnswer } from "@pro-talent/schemas/newsletter/categories";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { type PrivacyFormAnswer, privacyFormPages } from "@pro-talent/schemas/privacy/form";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { forgetDraft } from "../../features/contact/contact-writing.ts";
import { useLaunch } from "../../features/pricing/launch.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { LinkedText } from "../../ui/linked-text/linked-text.tsx";

import "./answer-page.css";

const supportEmail = "support@protalent.example";

type NextStep = "home" | "signup" | "contact" | "privacy" | "privacyStatus";
type FormAnswer = ContactFormAnswer | NewsletterFormAnswer | PrivacyFormAnswer;

const formAnswers = {
  "contact-received": { texts: "contactReceived", next: "home" },
  "contact-incomplete": { texts: "contactIncomplete", next: "contact" },
  "contact-failed": { texts: "contactFailed", next: "contact" },
  "subscribe-sent": { texts: "subscribeSent", next: "home" },
  "subscribe-already": { texts: "subscribeAlready", next: "home" },
  "subscribe-incomplete": { texts: "subscribeIncomplete", next: "signup" },
  "subscribe-failed": { texts: "subscribeFailed", next: "signup" },
  "confirm-expired": { texts: "confirmExpired", next: "signup" },
  "confirm-superseded": { texts: "confirmSuperseded", next: "signup" },
  "confirm-used": { texts: "confirmUsed", next: "home" },
  "confirm-unknown": { texts: "confirmUnknown", next: "signup" },
  "resend-sent": { texts: "resendSent", next: "home" },
  "link-sent": { texts: "linkSent", next: "home" },
  "preferences-saved": { texts: "preferencesSaved", next: "home" },
  unsubscribed: { texts: "unsubscribed", next: "signup" },
  "never-done": { texts: "neverDone", next: "home" },
  "never-failed": { texts: "neverFailed", next: "contact" },
  "privacy-code-sent": { texts: "privacyCodeSent", next: "privacyStatus" },
  "privacy-incomplete": { texts: "privacyIncomplete", next: "privacy" },
  "privacy-failed": { texts: "privacyFailed", next: "privacy" },
  "privacy-verified": { texts: "privacyVerified", next: "home" },
  "privacy-code-wrong": { texts: "privacyCodeWrong", next: "privacyStatus" },
  "privacy-link-unknown": { texts: "privacyLinkUnknown", next: "privacy" },
  "privacy-ended": { texts: "privacyEnded", next: "home" },
} as const satisfies Record<FormAnswer, { texts: string; next: NextStep }>;

function NextLink({ step }: { step: NextStep }) {
  const { t } = useTranslation("answer");
  const { subscribe } = useLaunch();
  const to = {
    home: "/",
    signup: subscribe,
    contact: "/contact",
    privacy: privacyFormPages.ask,
    privacyStatus: privacyFormPages.status,
  }[step];
  return (
    <Link className={buttonClass("outline")} to={to} data-track={`answer-${step}`}>
      {t(`next.${step}`)}
    </Link>
  );
}

function FormAnswers() {
  const { t } = useTranslation("answer");
  const hours = newsletterLimits.confirmHours;
  return Object.entries(formAnswers).map(([id, { texts, next }]) => (
    <section
      key={id}
      id={id}
      className="answer__section"
      aria-labelledby={`${id}-title`}
      tabIndex={-1}
    >
      <h2 id={`${id}-title`}>{t(`${texts}.title`)}</h2>
      <p>
        <LinkedText
          text={t(`${texts}.body`, { hours })}
          phrases={[{ text: supportEmail, href: `mailto:${supportEmail}` }]}
        />
      </p>
      <NextLink step={next} />
    </section>
  ));
}

/**
 * Shows the result of a form that was sent without scripts. The fragment of the address selects the
 * section, so the page needs no scripts and the server keeps no state.
 */
export function Page() {
  const { t } = useTranslation("answer");
  useEffect(() => {
    if (location.hash === "#contact-received") forgetDraft();
  }, []);
  return (
    <div className="answer page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
      <FormAnswers />
      <section className="answer__section answer__section--none" aria-labelledby="none-title">
        <h2 id="none-title">{t("none.title")}</h2>
        <p>{t("none.body")}</p>
        <NextLink step="home" />
      </section>
    </div>
  );
}
