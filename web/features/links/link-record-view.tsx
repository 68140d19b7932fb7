import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

import { countryName, formatDay, formatShortDay, formatTime } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { OpenedMark } from "../../ui/opened-mark/opened-mark.tsx";
import {
  type ExclusionReason,
  type LinkRecord,
  type LinkSummary,
  summarise,
} from "./link-record.ts";
import { OpensTimeline } from "./opens-timeline.tsx";

import "./link-record-view.css";

const latestCount = 3;

type Part = { record: LinkRecord; summary: LinkSummary };

function Timeline({ summary }: { summary: LinkSummary }) {
  const { t } = useTranslation("link-record");
  const language = useLanguage();
  const day = (date: string | undefined): string =>
    date === undefined ? "" : formatDay(language, `${date}T12:00:00Z`, "UTC");
  const first = summary.byDay[0]?.day;
  const last = summary.byDay.at(-1)?.day;
  const description = t("chart", {
    from: day(first),
    to: day(last),
    opens: summary.opens,
    people: summary.people,
    days: summary.activeDays,
    busiest: day(summary.busiest?.day),
  });
  return (
    <div className="record__chart">
      <OpensTimeline byDay={summary.byDay} description={description} />
      <div className="record__axis" dir="ltr" aria-hidden="true">
        <bdi>{first && formatShortDay(language, `${first}T12:00:00Z`, "UTC")}</bdi>
        <bdi>{last && formatShortDay(language, `${last}T12:00:00Z`, "UTC")}</bdi>
      </div>
      <ul className="record__legend" aria-label={t("legend.label")}>
        <li className="record__key record__key--new">{t("legend.new")}</li>
        <li className="record__key record__key--again">{t("legend.again")}</li>
        <li className="record__key record__key--machine">{t("legend.machine")}</li>
      </ul>
    </div>
  );
}

function LatestOpens({ record, summary }: Part) {
  const { t } = useTranslation("link-record");
  const language = useLanguage();
  return (
    <table className="record__latest">
      <caption>{t("latest")}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t("columns.time")}</th>
          <th scope="col">{t("columns.place")}</th>
          <th scope="col">{t("columns.who")}</th>
        </tr>
      </thead>
      <tbody>
        {summary.latest.map((open) => (
          <tr key={open.at}>
            <td>
              <time dateTime={open.at}>
                {formatShortDay(language, open.at, record.timeZone)}
                <span className="record__clock">
                  {formatTime(language, open.at, record.timeZone)}
                </span>
              </time>
            </td>
            <td>
              <bdi>{open.region}</bdi>, {countryName(language, open.country)}
            </td>
            <td className={open.first ? "record__who record__who--new" : "record__who"}>
              {open.first ? t("new") : t("again")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function reasonText(t: TFunction<"link-record">, reason: ExclusionReason, count: number): string {
  switch (reason) {
    case "preview":
      return t("reason.preview", { count });
    case "scanner":
      return t("reason.scanner", { count });
    case "crawler":
      return t("reason.crawler", { count });
  }
}

function Excluded({ record, summary }: Part) {
  const { t } = useTranslation("link-record");
  return (
    <div className="record__excluded">
      <p>{t("excluded", { count: record.exclusions.length })}</p>
      <ul className="record__reasons">
        {[...summary.byReason].map(([reason, count]) => (
          <li key={reason}>{reasonText(t, reason, count)}</li>
        ))}
      </ul>
    </div>
  );
}

/** The owner's view of a share link: its opens, and what was not counted. */
export function LinkRecordView({ record }: { record: LinkRecord }) {
  const { t } = useTranslation("link-record");
  const language = useLanguage();
  const summary = summarise(record, latestCount);
  return (
    <div className="record">
      <div className="record__head">
        <p className="record__label">
          <bdi>{record.label}</bdi>
        </p>
        <p className="record__address">
          <bdi dir="ltr">{record.address}</bdi>
          <span>
            {t("sharedOn", { date: formatDay(language, record.sharedAt, record.timeZone) })}
          </span>
        </p>
      </div>
      <p className="record__answer">
        <OpenedMark>{t("opened", { count: summary.opens })}</OpenedMark>{" "}
        <span className="record__people">{t("byPeople", { count: summary.people })}</span>
      </p>
      <Timeline summary={summary} />
      <LatestOpens record={record} summary={summary} />
      <Excluded record={record} summary={summary} />
      <p className="record__zone">{t("zone", { zone: record.zoneName })}</p>
    </div>
  );
}
