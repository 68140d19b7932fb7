import { useTranslation } from "react-i18next";

import { Accordion } from "../../ui/accordion/accordion.tsx";

import "./questions-section.css";

export function QuestionsSection() {
  const { t } = useTranslation("what-is-ats");
  const items = [
    { id: "rejects", title: t("faq.rejects.question"), content: <p>{t("faq.rejects.answer")}</p> },
    { id: "format", title: t("faq.format.question"), content: <p>{t("faq.format.answer")}</p> },
    { id: "columns", title: t("faq.columns.question"), content: <p>{t("faq.columns.answer")}</p> },
    {
      id: "keywords",
      title: t("faq.keywords.question"),
      content: <p>{t("faq.keywords.answer")}</p>,
    },
    {
      id: "languages",
      title: t("faq.languages.question"),
      content: <p>{t("faq.languages.answer")}</p>,
    },
    { id: "check", title: t("faq.check.question"), content: <p>{t("faq.check.answer")}</p> },
  ];
  return (
    <section className="ats-questions page-width" aria-labelledby="questions-title">
      <h2 id="questions-title">{t("faq.title")}</h2>
      <Accordion items={items} headingLevel={3} />
    </section>
  );
}
