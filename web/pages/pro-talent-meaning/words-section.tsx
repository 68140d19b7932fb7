import { useTranslation } from "react-i18next";

import "./words-section.css";

type WordProps = { word: string; gloss: string; language: "en" | "he" };

function Word({ word, gloss, language }: WordProps) {
  return (
    <div className={`lexicon__entry lexicon__entry--${language}`}>
      <dt lang={language} dir={language === "he" ? "rtl" : "ltr"}>
        {word}
      </dt>
      <dd>{gloss}</dd>
    </div>
  );
}

export function WordsSection() {
  const { t } = useTranslation("pro-talent-meaning");
  return (
    <section className="lexicon" aria-labelledby="words-title">
      <div className="page-width">
        <h2 id="words-title">{t("words.title")}</h2>
        <dl>
          <Word word={t("words.pro.english")} gloss={t("words.pro.gloss")} language="en" />
          <Word word={t("words.talent.english")} gloss={t("words.talent.gloss")} language="en" />
          <Word word={t("words.kishron.hebrew")} gloss={t("words.kishron.gloss")} language="he" />
        </dl>
      </div>
    </section>
  );
}
