import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { JoinLink } from "../../app/shell/join-link.tsx";
import { PageBreadcrumb } from "../../app/shell/page-breadcrumb.tsx";
import { useLanguage } from "../../i18n/use-language.ts";
import { buttonClass } from "../../ui/button/button.tsx";

import "./creed-section.css";
import "./mark-section.css";
import "./pro-talent-meaning-page.css";
import "./root-section.css";
import "./taglines-section.css";
import "./words-section.css";

function Head() {
  const { t } = useTranslation("pro-talent-meaning");
  return (
    <header className="meaning-head page-width">
      <PageBreadcrumb current={t("crumb")} />
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p>{t("lead")}</p>
    </header>
  );
}

type WordProps = { language: "en" | "he"; word: string; gloss: string };

function Word({ language, word, gloss }: WordProps) {
  return (
    <div className={`lexicon__entry lexicon__entry--${language}`}>
      <dt lang={language} dir={language === "he" ? "rtl" : "ltr"}>
        {word}
      </dt>
      <dd>{gloss}</dd>
    </div>
  );
}

function Words() {
  const { t } = useTranslation("pro-talent-meaning");
  return (
    <section className="lexicon" aria-labelledby="words-title">
      <div className="page-width">
        <h2 id="words-title">{t("words.title")}</h2>
        <dl>
          <Word language="en" word={t("words.pro.english")} gloss={t("words.pro.gloss")} />
          <Word language="en" word={t("words.talent.english")} gloss={t("words.talent.gloss")} />
          <Word language="he" word={t("words.kishron.hebrew")} gloss={t("words.kishron.gloss")} />
        </dl>
      </div>
    </section>
  );
}

function Mark() {
  const { t } = useTranslation("pro-talent-meaning");
  return (
    <section className="anatomy page-width" aria-labelledby="mark-title">
      <svg className="anatomy__mark" viewBox="0 0 30 30" aria-hidden="true">
        <path
          d="M10.5 8h6l3.5 3.500V22h-9.500Z M16.5 8v3.500H20"
          fill="none"
          stroke="currentColor"
          strokeWidth="0.3"
          strokeLinejoin="round"
        />
        <path
          className="anatomy__ring"
          d="M23.5 4.800C17.5 0.5 7.5 1.800 3.800 8.200C0 15 1.5 24.5 9.5 27.600C18 30.800 27 26.5 28.400 18C29.600 10.5 23 2.800 13.5 3.200"
          fill="none"
          strokeWidth="0.5"
          strokeLinecap="round"
        />
      </svg>
      <div className="anatomy__text">
        <h2 id="mark-title">{t("mark.title")}</h2>
        {Object.values(t("mark.text", { returnObjects: true })).map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </section>
  );
}

/** The Hebrew root of opening, and words that grow from it. */
function Root() {
  const { t } = useTranslation("pro-talent-meaning");
  const family = Object.values(t("root.family", { returnObjects: true }));
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
          {family.map(({ hebrew, gloss }) => (
            <div key={hebrew}>
              <dt lang="he" dir="rtl">
                {hebrew}
              </dt>
              <dd>{gloss}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

/** Every tagline in both languages, the language of the page first, each aligned to its own side. */
function Taglines() {
  const { t } = useTranslation("pro-talent-meaning");
  const language = useLanguage();
  const lines = Object.entries(t("taglines.lines", { returnObjects: true }));
  return (
    <section className="taglines page-width" aria-labelledby="taglines-title">
      <h2 id="taglines-title">{t("taglines.title")}</h2>
      <ul className="taglines__sheet">
        {lines.map(([id, { english, hebrew, note }]) => {
          const both = [
            <p className="taglines__text" lang="en" dir="ltr" key="en">
              {english}
            </p>,
            <p className="taglines__text" lang="he" dir="rtl" key="he">
              {hebrew}
            </p>,
          ];
          return (
            <li key={id} className={`taglines__line taglines__line--${id}`}>
              {language === "he" ? both.toReversed() : both}
              <p className="taglines__note">{note}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Creed() {
  const { t } = useTranslation("pro-talent-meaning");
  const pillars = Object.values(t("pillars.items", { returnObjects: true }));
  const values = Object.values(t("values.items", { returnObjects: true }));
  return (
    <div className="creed page-width">
      <section className="creed__pillars" aria-labelledby="pillars-title">
        <h2 id="pillars-title">{t("pillars.title")}</h2>
        <dl>
          {pillars.map(({ term, body }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{body}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="creed__mission" aria-labelledby="mission-title">
        <h2 id="mission-title">{t("mission.title")}</h2>
        <p>{t("mission.body")}</p>
      </section>
      <section className="creed__values" aria-labelledby="values-title">
        <h2 id="values-title">{t("values.title")}</h2>
        <ul className="creed__list">
          {values.map((value) => (
            <li key={value}>{value}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}

export function Page() {
  const { t } = useTranslation("pro-talent-meaning");
  return (
    <article className="meaning">
      <Head />
      <Words />
      <Mark />
      <Root />
      <Taglines />
      <Creed />
      <p className="meaning__links page-width">
        <JoinLink className={buttonClass("solid")} track="meaning-signup" />
        <Link className={buttonClass("text")} to="/about" data-track="meaning-about">
          {t("next.about")}
        </Link>
      </p>
    </article>
  );
}
