import { plans } from "@pro-talent/schemas/subscription/plans";
import { useTranslation } from "react-i18next";

import { BelowFold, StaticSections } from "../../app/loaded.tsx";
import { homeSections } from "../../app/routes.ts";
import { Link } from "../../app/routing.ts";
import { JoinLink } from "../../app/shell/join-link.tsx";
import { NewsletterForm } from "../../features/newsletter/newsletter-form.tsx";
import { displayPrice } from "../../features/price-display.ts";
import { useLaunch } from "../../features/pricing/launch.ts";
import { PlanTable } from "../../features/pricing/plan-table.tsx";
import { useLanguage } from "../../i18n/use-language.ts";
import { Accordion } from "../../ui/accordion/accordion.tsx";
import { buttonClass } from "../../ui/button/button.tsx";

import "./hero-section.css";
import "./newsletter-section.css";
import "./pricing-section.css";
import "./questions-section.css";

function Hero() {
  const { t } = useTranslation("home");
  const { sentence } = useLaunch();
  return (
    <section className="hero page-width">
      <div className="hero__text">
        <h1 className="hero__title" tabIndex={-1}>
          <span>{t("hero.statement")}</span> <span>{t("hero.question")}</span>
        </h1>
        <p className="hero__lead">{t("hero.lead")}</p>
        <p className="hero__status">{sentence}</p>
        <div className="hero__actions">
          <JoinLink className={buttonClass("solid")} track="hero-signup" />
          <a className={buttonClass()} href="#pricing" data-track="hero-pricing">
            {t("hero.pricing")}
          </a>
        </div>
      </div>
      <figure className="hero__visual">
        <StaticSections sections={homeSections.demo} />
        <figcaption>
          <span>{t("hero.caption")}</span>{" "}
          <a href="#record" data-track="hero-record">
            {t("hero.record")}
          </a>
        </figcaption>
      </figure>
    </section>
  );
}

function Pricing() {
  const { t } = useTranslation("home");
  return (
    <section className="prices" id="pricing" aria-labelledby="pricing-title" tabIndex={-1}>
      <div className="page-width">
        <div className="prices__head">
          <h2 id="pricing-title">{t("pricing.title")}</h2>
          <p>{t("pricing.intro")}</p>
        </div>
        <PlanTable headingLevel={3} />
      </div>
    </section>
  );
}

/** What the answers interpolate: the amounts of the price list and the state of the launch. */
function useFacts() {
  const language = useLanguage();
  const { sentence: launch } = useLaunch();
  const [, essential, premium] = plans;
  const small = displayPrice(essential, "monthly", language);
  const large = displayPrice(premium, "monthly", language);
  return {
    launch,
    essential: small.month,
    essentialAnnual: small.annualMonth,
    premium: large.month,
    premiumAnnual: large.annualMonth,
  };
}

type Question = { question: string; answer: string; more?: string };

/** Where an answer leads: a link, or more text. */
function More({ id, text }: { id: string; text: string | undefined }) {
  switch (id) {
    case "launch":
      return <JoinLink track="faq-signup" />;
    case "link":
      return (
        <a href="#record" data-track="faq-record">
          {text}
        </a>
      );
    case "readers":
      return (
        <Link to="/privacy" data-track="faq-privacy">
          {text}
        </Link>
      );
    default:
      return text;
  }
}

function Questions() {
  const { t } = useTranslation("home");
  const texts: Record<string, Question> = t("faq.items", { returnObjects: true, ...useFacts() });
  const items = Object.entries(texts).map(([id, { question, answer, more }]) => ({
    id,
    title: question,
    content: (
      <>
        <p>{answer}</p>
        {(id === "launch" || more !== undefined) && (
          <p>
            <More id={id} text={more} />
          </p>
        )}
      </>
    ),
  }));
  return (
    <section className="questions page-width" aria-labelledby="questions-title">
      <div className="questions__head">
        <h2 id="questions-title">{t("faq.title")}</h2>
        <Link to="/contact" data-track="faq-contact">
          {t("faq.more")}
        </Link>
      </div>
      <Accordion items={items} headingLevel={3} />
    </section>
  );
}

function Newsletter() {
  const { t } = useTranslation("home");
  return (
    <section className="newsletter-section" aria-labelledby="newsletter-section-title">
      <div className="page-width newsletter-section__grid">
        <div className="newsletter-section__head">
          <h2 id="newsletter-section-title">{t("newsletter.title")}</h2>
          <p>{t("newsletter.intro")}</p>
        </div>
        <NewsletterForm sourceContext="footer_form" idPrefix="home" />
      </div>
    </section>
  );
}

/** Contracts that are made on this site can be ended from its first page. */
function ContractLink() {
  const { t } = useTranslation("home");
  return (
    <p className="contract-link page-width">
      <a href="/account/subscription/cancel" data-track="contract-cancel">
        {t("contract")}
      </a>
    </p>
  );
}

export function Page() {
  return (
    <>
      <Hero />
      <BelowFold>
        <StaticSections sections={homeSections.story} className="static" />
        <Pricing />
        <StaticSections sections={homeSections.voices} className="static" />
        <Questions />
        <Newsletter />
        <ContractLink />
      </BelowFold>
    </>
  );
}
