import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";

import "./taglines-section.css";

function Line({ language, children }: { language: Locale; children: string }) {
  return (
    <p className="taglines__text" lang={language} dir={language === "he" ? "rtl" : "ltr"}>
      {children}
    </p>
  );
}

/** Every tagline in both languages, each aligned to its own side. */
export function TaglinesSection() {
  const { t } = useTranslation("pro-talent-meaning");
  const language = useLanguage();
  const lines = [
    {
      id: "three",
      english: t("taglines.three.english"),
      hebrew: t("taglines.three.hebrew"),
      note: t("taglines.three.note"),
    },
    {
      id: "call",
      english: t("taglines.call.english"),
      hebrew: t("taglines.call.hebrew"),
      note: t("taglines.call.note"),
    },
    {
      id: "answers",
      english: t("taglines.answers.english"),
      hebrew: t("taglines.answers.hebrew"),
      note: t("taglines.answers.note"),
    },
    {
      id: "fate",
      english: t("taglines.fate.english"),
      hebrew: t("taglines.fate.hebrew"),
      note: t("taglines.fate.note"),
    },
  ];
  return (
    <section className="taglines page-width" aria-labelledby="taglines-title">
      <h2 id="taglines-title">{t("taglines.title")}</h2>
      <ul className="taglines__sheet">
        {lines.map(({ id, english, hebrew, note }) => (
          <li key={id} className={`taglines__line taglines__line--${id}`}>
            {language === "he" && <Line language="he">{hebrew}</Line>}
            <Line language="en">{english}</Line>
            {language === "en" && <Line language="he">{hebrew}</Line>}
            <p className="taglines__note">{note}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
