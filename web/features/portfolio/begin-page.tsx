import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { accountApi } from "../../api-client/account-api.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { toaster } from "../toaster.ts";
import { useViewTexts } from "../view-texts.ts";
import {
  cvsQuery,
  type Portfolio,
  type PortfolioDocument,
  portfolioQuery,
} from "./portfolio-queries.ts";
import { makePage } from "./portfolio-saving.ts";

/** A page that states the name alone. */
const emptyPage = (language: Locale, fullName: string): PortfolioDocument => ({
  version: 1,
  language,
  look: { theme: "folio", accent: "ink" },
  profile: { fullName, headline: "", place: "", links: [], photo: null },
  sections: [],
  cvId: null,
});

async function fromCv(cvId: string): Promise<PortfolioDocument | "full" | undefined> {
  const result = await accountApi().call("POST /api/portfolio/from-cv", { body: { cvId } });
  if (result.ok) return result.answer?.document;
  return result.code === "pictures_full" ? "full" : undefined;
}

/** Makes the page in one act; its editor follows. */
function useBeginning(language: Locale) {
  const { t } = useTranslation("portfolio");
  const cache = useQueryClient();
  const [, setSearch] = useSearchParams();
  const [busy, setBusy] = useState<string>();
  const begin = async (
    by: string,
    document: () => Promise<PortfolioDocument | "full" | undefined>,
  ): Promise<void> => {
    setBusy(by);
    const made = await document().catch(() => undefined);
    const page =
      made === undefined || made === "full"
        ? undefined
        : await makePage(made, language).catch(() => undefined);
    setBusy(undefined);
    if (page === undefined) {
      toaster.show({ text: t(made === "full" ? "pictures.picturesFull" : "failed") });
      return;
    }
    // The editor begins with what the page says, whatever part was shown of an earlier page.
    setSearch({ page: language }, { replace: true });
    cache.setQueryData(
      portfolioQuery.queryKey,
      (known) =>
        known && {
          portfolio: { ...known.portfolio, pages: [...known.portfolio.pages, page] },
        },
    );
  };
  return { busy, begin };
}

type ChoicesProps = {
  portfolio: Portfolio;
  language: Locale;
  beginning: ReturnType<typeof useBeginning>;
};

/** The CVs in this language, each one press away from a page. */
function Cvs({ language, beginning: { busy, begin } }: ChoicesProps) {
  const { t } = useTranslation("portfolio");
  const { timeZone } = useAccount().profile;
  const cvs = useQuery(cvsQuery);
  const { texts, describe } = useViewTexts(t("begin.loading"));
  const time = new Intl.DateTimeFormat(useLanguage(), {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone,
  });
  const fits = (cv: { language: Locale; archivedAt: string | null }) =>
    cv.language === language && cv.archivedAt === null;
  return (
    <DataView
      query={cvs}
      texts={texts}
      skeleton={<Skeleton shape="row" count={3} />}
      isEmpty={({ cvs: all }) => !all.some(fits)}
      empty={{
        title: t(`begin.noCv.${language}`),
        body: t("begin.noCvBody"),
        action: (
          <Link className={buttonClass()} to="/cv">
            {t("begin.toCvs")}
          </Link>
        ),
      }}
      describe={describe}
    >
      {({ cvs: all }) => (
        <ul className="pf-begin__cvs">
          {all.filter(fits).map(({ cvId, title, savedAt }) => (
            <li key={cvId}>
              <div>
                <h3>
                  <bdi>{title}</bdi>
                </h3>
                <p className="cv-quiet">
                  {t("begin.saved", { time: time.format(new Date(savedAt)) })}
                </p>
              </div>
              <Button
                variant="solid"
                disabled={busy !== undefined}
                onClick={() => void begin(cvId, () => fromCv(cvId))}
              >
                {t(busy === cvId ? "begin.making" : "begin.fromCv")}{" "}
                <span className="visually-hidden">{title}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </DataView>
  );
}

/** How a page is begun otherwise. */
function OtherWays({ portfolio, language, beginning: { busy, begin } }: ChoicesProps) {
  const { t } = useTranslation("portfolio");
  const { profile } = useAccount();
  const other = portfolio.pages.find((page) => page.language !== language);
  return (
    <div className="cv-actions">
      {other !== undefined && (
        <Button
          disabled={busy !== undefined}
          onClick={() =>
            // Its CV is in the other language.
            void begin("other", async () => ({ ...other.document, cvId: null }))
          }
        >
          {t(`begin.fromOther.${other.language}`)}
        </Button>
      )}
      <Button
        variant={other === undefined ? "outline" : "text"}
        disabled={busy !== undefined}
        onClick={() => void begin("empty", async () => emptyPage(language, profile.fullName))}
      >
        {t("begin.empty")}
      </Button>
    </div>
  );
}

/** A page as it may become: a sheet with a name, a text and pictures. Decorative. */
function Sketch({ rtl }: { rtl: boolean }) {
  return (
    <svg className="pf-begin__sketch" data-rtl={rtl} viewBox="0 0 320 400" aria-hidden="true">
      <path d="M24 56h150 M24 74h92" />
      <path className="pf-begin__thin" d="M24 104h272 M24 128h230 M24 142h252 M24 156h180" />
      <path className="pf-begin__thin" d="M24 190h272" />
      <rect x="24" y="208" width="168" height="120" />
      <rect x="204" y="208" width="92" height="54" />
      <rect x="204" y="274" width="92" height="54" />
      <path className="pf-begin__thin" d="M24 352h120 M24 366h180" />
    </svg>
  );
}

/** Before there is a page in a language. */
export function BeginPage({ portfolio, language }: { portfolio: Portfolio; language: Locale }) {
  const { t } = useTranslation("portfolio");
  const beginning = useBeginning(language);
  const choices = { portfolio, language, beginning };
  return (
    <div className="pf-begin">
      <div className="pf-begin__words">
        <section aria-labelledby="pf-begin">
          <h2 id="pf-begin">{t(`begin.title.${language}`)}</h2>
          <p>{t("begin.body")}</p>
          {!portfolio.mayPublish && (
            <p className="pf-plan">
              {t("begin.plan")} <Link to="/account/subscription">{t("publish.toPlan")}</Link>
            </p>
          )}
          <Cvs {...choices} />
        </section>
        <section aria-labelledby="pf-begin-other">
          <h2 id="pf-begin-other">{t("begin.otherWays")}</h2>
          <OtherWays {...choices} />
        </section>
      </div>
      <Sketch rtl={language === "he"} />
    </div>
  );
}
