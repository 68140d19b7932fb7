import { useTranslation } from "react-i18next";

import { Accordion } from "../../ui/accordion/accordion.tsx";

import "./questions-section.css";

export function QuestionsSection() {
  const { t } = useTranslation("pricing");
  const items = [
    { id: "buy", title: t("faq.buy.question"), content: <p>{t("faq.buy.answer")}</p> },
    { id: "refund", title: t("faq.refund.question"), content: <p>{t("faq.refund.answer")}</p> },
    { id: "cancel", title: t("faq.cancel.question"), content: <p>{t("faq.cancel.answer")}</p> },
    { id: "change", title: t("faq.change.question"), content: <p>{t("faq.change.answer")}</p> },
    { id: "renew", title: t("faq.renew.question"), content: <p>{t("faq.renew.answer")}</p> },
    { id: "price", title: t("faq.price.question"), content: <p>{t("faq.price.answer")}</p> },
  ];
  return (
    <section className="pricing-questions page-width" aria-labelledby="faq-title">
      <h2 id="faq-title">{t("faq.title")}</h2>
      <Accordion items={items} headingLevel={3} />
    </section>
  );
}
