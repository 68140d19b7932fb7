import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Breadcrumb } from "../../../ui/breadcrumb/breadcrumb.tsx";
import { Link } from "../../routing.ts";

import "./legal-page.css";

/** Date of the last change to the legal texts (specification §9). */
export const legalUpdated = "2025-10-17";

export type LegalSection = { id: string; title: string; content: ReactNode };

type LegalPageProps = { title: string; lead: string; sections: readonly LegalSection[] };

/** The shared layout of legal pages: where one is, when it changed, what it holds, and the text. */
export function LegalPage({ title, lead, sections }: LegalPageProps) {
  const { t } = useTranslation("shell");
  const language = useLanguage();
  return (
    <article className="legal page-width">
      <header className="legal__head">
        <Breadcrumb
          label={t("breadcrumb.label")}
          above={[{ id: "home", link: <Link to="/">{t("breadcrumb.home")}</Link> }]}
          current={title}
        />
        <h1 tabIndex={-1}>{title}</h1>
        <p className="legal__lead">{lead}</p>
        <p className="legal__date">
          {t("lastUpdated", { date: formatDate(language, legalUpdated) })}
        </p>
      </header>
      <nav className="legal__contents" aria-label={t("onThisPage")}>
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="legal__text">
        {sections.map((section) => (
          <section
            key={section.id}
            id={section.id}
            aria-labelledby={`${section.id}-title`}
            tabIndex={-1}
          >
            <h2 id={`${section.id}-title`}>{section.title}</h2>
            {section.content}
          </section>
        ))}
      </div>
    </article>
  );
}
