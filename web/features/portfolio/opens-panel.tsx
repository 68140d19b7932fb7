import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { CallFailure } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { OpenedMark } from "../../ui/opened-mark/opened-mark.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { useViewTexts } from "../view-texts.ts";
import { addressOpensQuery, linksQuery, newestQuery, opensQuery } from "./portfolio-queries.ts";
import { PageAddress } from "./status.tsx";

type ShareLink = CallAnswer<"GET /api/links">["links"][number];
type Known = CallAnswer<"GET /api/insights/links">["links"][number];

const timeParts = {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
} as const;

/** What is said of opens that cannot be shown. */
function useWithout(error: Error | null): string | undefined {
  const { t } = useTranslation("portfolio");
  if (error === null) return undefined;
  const code = error instanceof CallFailure ? error.code : undefined;
  if (code === "insights_not_included") return t("opens.notIncluded");
  return t(code === "insights_restricted" ? "opens.restricted" : "opens.unknown");
}

function Opened({ known }: { known: Pick<Known, "opens" | "lastAt"> }) {
  const { t } = useTranslation("portfolio");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const time = new Intl.DateTimeFormat(language, { ...timeParts, timeZone });
  if (known.lastAt === null) return <p className="cv-quiet">{t("opens.none")}</p>;
  return (
    <p className="cv-quiet">
      {t("opens.count", {
        count: known.opens,
        shown: new Intl.NumberFormat(language).format(known.opens),
      })}{" "}
      · {t("opens.last", { time: time.format(new Date(known.lastAt)) })}
    </p>
  );
}

/** More of them are on the page of the link. */
const newestMax = 3;

/** The newest opens: for how long, and how many sections were seen. */
function Newest({ linkId }: { linkId: string }) {
  const { t } = useTranslation("portfolio");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const { data } = useQuery(newestQuery(linkId, timeZone));
  const time = new Intl.DateTimeFormat(language, { ...timeParts, timeZone });
  const number = new Intl.NumberFormat(language);
  const duration = (seconds: number): string =>
    new Intl.NumberFormat(language, {
      style: "unit",
      unit: seconds < 60 ? "second" : "minute",
      unitDisplay: "long",
    }).format(seconds < 60 ? seconds : Math.round(seconds / 60));
  return (
    <ul className="pf-opens__newest">
      {(data?.opens ?? []).slice(0, newestMax).map(({ openId, at, seconds, pages, pagesTotal }) => (
        <li key={openId}>
          {seconds === null || pages === null || pagesTotal === null
            ? t("opens.opened", { time: time.format(new Date(at)) })
            : t("opens.seen", {
                time: time.format(new Date(at)),
                duration: duration(seconds),
                shown: number.format(pages),
                count: pagesTotal,
              })}
        </li>
      ))}
    </ul>
  );
}

function Row({ link, known }: { link: ShareLink; known: Known | undefined }) {
  const { t } = useTranslation("portfolio");
  const title = (
    <Link to={`/links/${link.linkId}`}>
      <bdi>{link.label}</bdi>
    </Link>
  );
  return (
    <li className="pf-opens__link">
      <h2>{(known?.fresh ?? 0) > 0 ? <OpenedMark>{title}</OpenedMark> : title}</h2>
      {link.status === "active" ? null : <p className="cv-quiet">{t("opens.closed")}</p>}
      {known !== undefined && <Opened known={known} />}
      {known !== undefined && known.opens > 0 && <Newest linkId={link.linkId} />}
    </li>
  );
}

/** What was opened without a link, by who knows the address or found it. */
function OwnAddress() {
  const { t } = useTranslation("portfolio");
  const { accountId, profile } = useAccount();
  const { data, isPending } = useQuery(addressOpensQuery(accountId, profile.timeZone));
  if (isPending) return <Skeleton shape="row" count={1} />;
  if (data === undefined || profile.handle === null) return null;
  const { totals } = data;
  return (
    <section className="pf-opens__link" aria-labelledby="pf-address">
      <h2 id="pf-address">
        {t("opens.address")} <PageAddress handle={profile.handle} />
      </h2>
      <Opened known={totals} />
      {totals.opens > 0 && <Newest linkId={accountId} />}
    </section>
  );
}

/** Links that lead to the portfolio, and what was opened through them. */
export function OpensPanel() {
  const { t } = useTranslation("portfolio");
  const { timeZone } = useAccount().profile;
  const links = useQuery(linksQuery);
  const opens = useQuery(opensQuery(timeZone));
  const { texts, describe } = useViewTexts(t("opens.loading"));
  const without = useWithout(opens.error);
  const leadsHere = ({ target }: ShareLink): boolean => target === "profile";
  const known = new Map(opens.data?.links.map((one) => [one.linkId, one]));
  const toLinks = (
    <Link className={buttonClass()} to="/links">
      {t("opens.toLinks")}
    </Link>
  );
  return (
    <div className="cv-panel">
      <p>{t("opens.lead")}</p>
      <OwnAddress />
      <DataView
        query={links}
        texts={texts}
        skeleton={<Skeleton shape="row" count={3} />}
        isEmpty={({ links: all }) => !all.some(leadsHere)}
        empty={{ title: t("opens.emptyTitle"), body: t("opens.emptyBody"), action: toLinks }}
        describe={describe}
        partial={() => without}
      >
        {({ links: all }) => (
          <>
            <ul className="pf-opens" aria-label={t("opens.links")}>
              {all.filter(leadsHere).map((link) => (
                <Row key={link.linkId} link={link} known={known.get(link.linkId)} />
              ))}
            </ul>
            <div className="cv-actions">{toLinks}</div>
          </>
        )}
      </DataView>
    </div>
  );
}
