import { useTranslation } from "react-i18next";

import "./root-section.css";

export function RootSection() {
  const { t } = useTranslation("pro-talent-meaning");
  const family = [
    { word: t("root.opened.hebrew"), gloss: t("root.opened.gloss") },
    { word: t("root.key.hebrew"), gloss: t("root.key.gloss") },
    { word: t("root.foreword.hebrew"), gloss: t("root.foreword.gloss") },
    { word: t("root.growth.hebrew"), gloss: t("root.growth.gloss") },
  ];
  return (
    <section className="root-word" aria-labelledby="root-title">
      <div className="root-word__grid page-width">
        <div className="root-word__head">
          <h2 id="root-title">{t("root.title")}</h2>
          <p>{t("root.intro")}</p>
        </div>
        <p className="root-word__hebrew" lang="he" dir="rtl">
          {t("root.hebrew")}
        </p>
        <dl className="root-word__family">
          {family.map(({ word, gloss }) => (
            <div key={word}>
              <dt lang="he" dir="rtl">
                {word}
              </dt>
              <dd>{gloss}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
