import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { formatDate } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Breadcrumb } from "../../ui/breadcrumb/breadcrumb.tsx";
import { StaticHtml } from "../../ui/hydration/static-html.tsx";
import { ContactBox } from "./contact-box.tsx";
import { type Fact, FactList } from "./fact-list.tsx";

import "./legal-page.css";
import "./legal-table.css";
import "./legal-print.css";

/** Date of the last change to the legal texts (specification §9). */
export const legalUpdated = "2025-10-17";

export type LegalSection = { id: string; title: string; content: ReactNode };

type LegalPageProps = {
  title: string;
  lead: string;
  /** Summary before the text. */
  facts?: readonly Fact[];
  /** Numbers the sections, for documents that are cited by section. */
  numbered?: boolean;
  sections: readonly LegalSection[];
};

function LastUpdated() {
  const { t } = useTranslation("shell");
  const date = formatDate(useLanguage(), legalUpdated);
  return <time dateTime={legalUpdated}>{t("lastUpdated", { date })}</time>;
}

function Head({ title, lead, facts }: Pick<LegalPageProps, "title" | "lead" | "facts">) {
  const { t } = useTranslation("shell");
  const language = useLanguage();
  return (
    <header className="legal__head">
      <Breadcrumb
        label={t("breadcrumb.label")}
        above={[{ id: "home", link: <Link to="/">{t("breadcrumb.home")}</Link> }]}
        current={title}
      />
      <h1 tabIndex={-1}>{title}</h1>
      <p className="legal__lead">{lead}</p>
      <StaticHtml key={language} className="legal__date">
        <LastUpdated />
      </StaticHtml>
      {facts !== undefined && <FactList facts={facts} />}
    </header>
  );
}

function Numbered({ number, title }: { number: number | undefined; title: string }) {
  if (number === undefined) return title;
  return (
    <>
      <span className="legal__number">{number}.</span> {title}
    </>
  );
}

/** The shared layout of legal pages. */
export function LegalPage({ title, lead, facts, numbered = false, sections }: LegalPageProps) {
  const { t } = useTranslation("shell");
  const numberOf = (index: number) => (numbered ? index + 1 : undefined);
  return (
    <article className={numbered ? "legal legal--numbered page-width" : "legal page-width"}>
      <Head title={title} lead={lead} {...(facts === undefined ? {} : { facts })} />
      <nav className="legal__contents" aria-labelledby="legal-contents">
        <p id="legal-contents">{t("onThisPage")}</p>
        <ol>
          {sections.map((section, index) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>
                <Numbered number={numberOf(index)} title={section.title} />
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="legal__text">
        {sections.map((section, index) => (
          <section
            key={section.id}
            id={section.id}
            aria-labelledby={`${section.id}-title`}
            tabIndex={-1}
          >
            <h2 id={`${section.id}-title`}>
              <Numbered number={numberOf(index)} title={section.title} />
            </h2>
            {section.content}
          </section>
        ))}
        <ContactBox />
      </div>
    </article>
  );
}
