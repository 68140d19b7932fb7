import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { languages as allLanguages } from "../../i18n/languages.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { lazyPart } from "../lazy-part.tsx";
import { useViewTexts } from "../view-texts.ts";
import { type Portfolio, portfolioQuery } from "./portfolio-queries.ts";

import "../documents/documents.css";
import "../documents/edit/form.css";
import "./portfolio.css";
import "./portfolio-panels.css";

const Editor = lazyPart(async () => (await import("./editor.tsx")).Editor);
const BeginPage = lazyPart(async () => (await import("./begin-page.tsx")).BeginPage);

/** The page that the address names; else the one that there is, first in the language of this site. */
function useShownLanguage(portfolio: Portfolio | undefined): Locale {
  const [search] = useSearchParams();
  const own = useLanguage();
  const named = allLanguages.find((one) => one === search.get("page"));
  if (named !== undefined || portfolio === undefined) return named ?? own;
  const has = (language: Locale) => portfolio.pages.some((page) => page.language === language);
  return has(own) ? own : (portfolio.pages[0]?.language ?? own);
}

/** The pages in both languages; one is edited at a time. */
function Languages({ portfolio, shown }: { portfolio: Portfolio; shown: Locale }) {
  const { t } = useTranslation("portfolio");
  return (
    <nav className="pf-languages" aria-label={t("languages.label")}>
      <ul>
        {allLanguages.map((language) => {
          const page = portfolio.pages.find((one) => one.language === language);
          return (
            <li key={language}>
              <Link
                to={{ search: `?page=${language}` }}
                replace
                preventScrollReset
                aria-current={language === shown ? "page" : undefined}
              >
                <span lang={language}>{t(`languages.${language}`)}</span>{" "}
                <small>
                  {t(
                    page === undefined
                      ? "languages.none"
                      : page.published === null
                        ? "languages.draft"
                        : "languages.shown",
                  )}
                </small>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The portfolio: begun from a CV or empty, then edited beside its page. */
export function PortfolioPage() {
  const { t } = useTranslation("portfolio");
  const query = useQuery(portfolioQuery);
  const { accountId } = useAccount();
  const { texts, describe } = useViewTexts(t("loading"));
  const portfolio = query.data?.portfolio;
  const language = useShownLanguage(portfolio);
  // Most visits edit: its code is loaded beside the data.
  useEffect(() => void Editor.load(), []);
  if (portfolio === undefined)
    return (
      <>
        <PageHeader title={t("title")} lead={t("lead")} />
        <DataView
          query={query}
          texts={texts}
          skeleton={<Skeleton shape="block" count={2} />}
          isEmpty={() => false}
          empty={{ title: "" }}
          describe={describe}
        >
          {() => null}
        </DataView>
      </>
    );
  const page = portfolio.pages.find((one) => one.language === language);
  const languages = <Languages portfolio={portfolio} shown={language} />;
  return page === undefined ? (
    <>
      <PageHeader title={t("title")} lead={t("lead")} actions={languages} />
      <Suspense fallback={<Skeleton shape="block" count={2} />}>
        <BeginPage key={language} portfolio={portfolio} language={language} />
      </Suspense>
    </>
  ) : (
    <Suspense fallback={<PageHeader title={t("title")} lead={t("lead")} />}>
      <Editor
        key={language}
        portfolio={portfolio}
        page={page}
        accountId={accountId}
        isOld={!query.isFetchedAfterMount}
        languages={languages}
      />
    </Suspense>
  );
}
