import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { useLanguage } from "../i18n/use-language.ts";
import { useAccount } from "./account-query.ts";
import { daysOf, todayIn } from "./days-in-query.ts";
import { allInsightsQuery, isNotIncluded, linksQuery } from "./link-opens.ts";

/** The links of the account and their opens, as a CV shows them beside it. */
export function useCvLinks() {
  const { timeZone } = useAccount().profile;
  const days = daysOf({ preset: "30d" }, todayIn(timeZone));
  const links = useQuery(linksQuery);
  const insights = useQuery(allInsightsQuery({ ...days, zone: timeZone }));
  const isUnanswered = insights.isError && !isNotIncluded(insights.error);
  return { links, insights, isIncomplete: links.isError || isUnanswered };
}

/** In one line: the links that lead to a CV, and what is known of their opens. It leads to them. */
export function CvLinkLine({ cvId, title }: { cvId: string; title: string }) {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const { links, insights } = useCvLinks();
  if (links.data === undefined) return null;
  const own = links.data.links.filter(({ cv }) => cv?.cvId === cvId).map(({ linkId }) => linkId);
  const known = (insights.data?.links ?? []).filter(({ linkId }) => own.includes(linkId));
  const opens = known.reduce((sum, link) => sum + link.opens, 0);
  const last = known
    .flatMap(({ lastAt }) => lastAt ?? [])
    .toSorted()
    .at(-1);
  const shown = (count: number): string => new Intl.NumberFormat(language).format(count);
  const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone });
  const said = [
    t("share.links", { count: own.length, shown: shown(own.length) }),
    ...(known.length > 0 ? [t("share.opens", { count: opens, shown: shown(opens) })] : []),
    ...(last === undefined ? [] : [t("share.last", { day: day.format(new Date(last)) })]),
  ];
  return (
    <p className="cv-quiet">
      <Link to={`/cv/${cvId}?part=share`}>
        {own.length === 0 ? t("share.action") : said.join(" · ")}
        <span className="visually-hidden">
          {" "}
          <bdi>{title}</bdi>
        </span>
      </Link>
    </p>
  );
}
