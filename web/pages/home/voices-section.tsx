import { useTranslation } from "react-i18next";

import "./voices-section.css";

type Voice = { name: "waiting" | "bilingual" | "returning" } & Record<
  "quote" | "author" | "role",
  string
>;

function VoiceFigure({ name, quote, author, role }: Voice) {
  return (
    <figure className={`voices__voice voices__voice--${name}`}>
      <blockquote>
        <p>{quote}</p>
      </blockquote>
      <figcaption>
        <span className="voices__author">{author}</span> <span>{role}</span>
      </figcaption>
    </figure>
  );
}

/** The testimonials are imagined, and the note above them says so. */
export function VoicesSection() {
  const { t } = useTranslation("home");
  return (
    <section className="voices page-width" aria-labelledby="voices-title">
      <div className="voices__head">
        <h2 id="voices-title">{t("voices.title")}</h2>
        <p>{t("voices.label")}</p>
      </div>
      <VoiceFigure
        name="waiting"
        quote={t("voices.waiting.quote")}
        author={t("voices.waiting.author")}
        role={t("voices.waiting.role")}
      />
      <VoiceFigure
        name="bilingual"
        quote={t("voices.bilingual.quote")}
        author={t("voices.bilingual.author")}
        role={t("voices.bilingual.role")}
      />
      <VoiceFigure
        name="returning"
        quote={t("voices.returning.quote")}
        author={t("voices.returning.author")}
        role={t("voices.returning.role")}
      />
    </section>
  );
}
