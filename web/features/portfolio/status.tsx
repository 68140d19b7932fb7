import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { useLanguage } from "../../i18n/use-language.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { useAccount } from "../account-query.ts";
import type { Portfolio } from "./portfolio-queries.ts";
import { hasChanges, isInSearch, shownLanguages, statusOf } from "./status-of.ts";
import type { Publishing } from "./use-publishing.ts";

/** Under which rules readers see pages, in words. */
export function useReaderWords(portfolio: Portfolio) {
  const { t } = useTranslation("portfolio");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const day = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone });
  return {
    languages: (shown: readonly Locale[]): string =>
      list.format(shown.map((one) => t(`status.in.${one}`))),
    /** Search engines, password and end. */
    rules: (state: "published" | "unlisted"): string =>
      [
        t(isInSearch(portfolio, state) ? "status.inSearch" : "status.notInSearch"),
        t(portfolio.locked ? "status.locked" : "status.open"),
        portfolio.expiresAt !== null &&
          t("status.until", { day: day.format(new Date(portfolio.expiresAt)) }),
      ]
        .filter(Boolean)
        .join(" · "),
    day: (instant: string): string => day.format(new Date(instant)),
  };
}

/** Where readers find it. */
export function PageAddress({ handle }: { handle: string }) {
  const address = `${location.host}/p/${handle}`;
  return (
    <a href={`/p/${handle}`} target="_blank" rel="noreferrer">
      <bdi dir="ltr" className="pf-address">
        {address}
      </bdi>
    </a>
  );
}

function Words({ portfolio, handle }: { portfolio: Portfolio; handle: string | null }) {
  const { t } = useTranslation("portfolio");
  const words = useReaderWords(portfolio);
  const status = statusOf(portfolio, handle);
  if (status !== "published" && status !== "unlisted")
    return (
      <p>
        {t(`status.why.${status}`, {
          day: portfolio.expiresAt === null ? "" : words.day(portfolio.expiresAt),
        })}
      </p>
    );
  return (
    <>
      <p>
        {t("status.shown", { languages: words.languages(shownLanguages(portfolio)) })}{" "}
        {handle !== null && <PageAddress handle={handle} />}
      </p>
      <p className="cv-quiet">{words.rules(status)}</p>
      {hasChanges(portfolio) && <p>{t("status.changed")}</p>}
    </>
  );
}

type StatusProps = { portfolio: Portfolio; publishing: Publishing };

/** First what readers see now, and the one act that changes it. */
export function PortfolioStatus({ portfolio, publishing }: StatusProps) {
  const { t } = useTranslation("portfolio");
  const [search] = useSearchParams();
  const { handle } = useAccount().profile;
  const status = statusOf(portfolio, handle);
  const isShown = status === "published" || status === "unlisted";
  const toPublish = new URLSearchParams(search);
  toPublish.set("part", "publish");
  return (
    <section className="pf-status" data-status={status} aria-label={t("status.title")}>
      <p className="pf-status__stamp">{t(`status.stamp.${status}`)}</p>
      <div className="pf-status__words" aria-live="polite">
        <Words portfolio={portfolio} handle={handle} />
      </div>
      <div className="pf-status__act">
        {isShown && hasChanges(portfolio) && (
          <Button
            variant="solid"
            disabled={publishing.busy}
            onClick={() => void publishing.publish(status, shownLanguages(portfolio))}
          >
            {t("publish.changes")}
          </Button>
        )}
        {status === "draft" && search.get("part") !== "publish" && (
          <Link
            className={buttonClass("solid")}
            to={{ search: toPublish.toString() }}
            replace
            preventScrollReset
          >
            {t("publish.begin")}
          </Link>
        )}
        {status === "not-included" && (
          <Link className={buttonClass()} to="/account/subscription">
            {t("publish.toPlan")}
          </Link>
        )}
        {status === "no-handle" && (
          <Link className={buttonClass()} to="/account/profile">
            {t("publish.toHandle")}
          </Link>
        )}
      </div>
    </section>
  );
}
