import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { StaticSections } from "../../app/loaded.tsx";
import { documentDate } from "../../app/routes.ts";
import { Link } from "../../app/routing.ts";
import { PageBreadcrumb } from "../../app/shell/page-breadcrumb.tsx";
import { buttonClass } from "../../ui/button/button.tsx";

import "./legal-page.css";
import "./legal-print.css";
import "./legal-table.css";

export type LegalSection = { id: string; title: string; content: ReactNode };

type Summary = {
  title: string;
  lead: string;
  facts?: Readonly<Record<string, { term: string; detail: string }>>;
};
type LegalPageProps = Summary & {
  /** Numbers the sections, for documents that are cited by section. */
  numbered?: boolean;
  sections: readonly LegalSection[];
};

/** The facts are a summary; the text itself is binding. */
function Head({ title, lead, facts }: Summary) {
  return (
    <header className="legal__head">
      <PageBreadcrumb current={title} />
      <h1 tabIndex={-1}>{title}</h1>
      <p className="legal__lead">{lead}</p>
      <StaticSections sections={documentDate} className="legal__date" />
      {facts !== undefined && (
        <dl className="legal-facts">
          {Object.values(facts).map(({ term, detail }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{detail}</dd>
            </div>
          ))}
        </dl>
      )}
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

function ContactBox() {
  const { t } = useTranslation("legal");
  return (
    <section className="legal__contact" aria-labelledby="legal-contact">
      <h2 id="legal-contact">{t("contact.title")}</h2>
      <p>{t("contact.body")}</p>
      <Link className={buttonClass()} to="/contact" data-track="legal-contact">
        {t("contact.link")}
      </Link>
    </section>
  );
}

/** The shared layout of legal pages. */
export function LegalPage({ numbered = false, sections, ...summary }: LegalPageProps) {
  const { t } = useTranslation("shell");
  const numberOf = (index: number) => (numbered ? index + 1 : undefined);
  return (
    <article className={numbered ? "legal legal--numbered page-width" : "legal page-width"}>
      <Head {...summary} />
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
