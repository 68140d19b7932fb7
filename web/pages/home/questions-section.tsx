import { plans } from "@pro-talent/schemas/subscription/plans";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { displayPrice } from "../../features/pricing/price-display.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Accordion, type AccordionItem } from "../../ui/accordion/accordion.tsx";

import "./questions-section.css";

/** The amounts of the price list, so that answers and list agree. */
function usePrices(): Record<
  "essential" | "essentialAnnual" | "premium" | "premiumAnnual",
  string
> {
  const language = useLanguage();
  const [, essential, premium] = plans;
  const [small, large] = [
    displayPrice(essential, "monthly", language),
    displayPrice(premium, "monthly", language),
  ];
  return {
    essential: small.month,
    essentialAnnual: small.annualMonth,
    premium: large.month,
    premiumAnnual: large.annualMonth,
  };
}

function useQuestions(): readonly AccordionItem[] {
  const { t } = useTranslation("home");
  const linked = (answer: string, link: ReactNode) => (
    <>
      <p>{answer}</p>
      <p>{link}</p>
    </>
  );
  return [
    {
      id: "cost",
      title: t("faq.cost.question"),
      content: linked(t("faq.cost.answer", usePrices()), t("faq.cost.more")),
    },
    {
      id: "link",
      title: t("faq.link.question"),
      content: linked(
        t("faq.link.answer"),
        <a href="#record" data-track="faq-record">
          {t("faq.link.more")}
        </a>,
      ),
    },
    {
      id: "readers",
      title: t("faq.readers.question"),
      content: linked(
        t("faq.readers.answer"),
        <Link to="/privacy" data-track="faq-privacy">
          {t("faq.readers.more")}
        </Link>,
      ),
    },
    {
      id: "languages",
      title: t("faq.languages.question"),
      content: <p>{t("faq.languages.answer")}</p>,
    },
    {
      id: "launch",
      title: t("faq.launch.question"),
      content: linked(
        t("faq.launch.answer"),
        <Link to="/signup" data-track="faq-signup">
          {t("faq.launch.more")}
        </Link>,
      ),
    },
    {
      id: "leaving",
      title: t("faq.leaving.question"),
      content: linked(t("faq.leaving.answer"), t("faq.leaving.more")),
    },
  ];
}

export function QuestionsSection() {
  const { t } = useTranslation("home");
  return (
    <section className="questions page-width" aria-labelledby="questions-title">
      <div className="questions__head">
        <h2 id="questions-title">{t("faq.title")}</h2>
        <Link to="/contact" data-track="faq-contact">
          {t("faq.more")}
        </Link>
      </div>
      <Accordion items={useQuestions()} headingLevel={3} />
    </section>
  );
}
