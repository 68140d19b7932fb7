import { useTranslation } from "react-i18next";

import { formatDate } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { OpenedMark } from "../../ui/opened-mark/opened-mark.tsx";
import { type DayMarks, demoDate, demoLink } from "./link-demo-data.ts";

import "./link-demo.css";

const column = 30;
const row = 17;
const dot = 6.5;

/** Opens above the line, excluded ones below. */
function Day({ marks, x, line }: { marks: DayMarks; x: number; line: number }) {
  return (
    <g>
      <line className="timeline__day" x1={x} x2={x} y1={line - 3} y2={line + 3} />
      {marks.opens.map((first, index) => (
        <circle
          // oxlint-disable-next-line react/no-array-index-key -- a drawing that never changes
          key={index}
          className={first ? "timeline__open timeline__open--new" : "timeline__open"}
          cx={x}
          cy={line - 14 - index * row}
          r={first ? dot : dot - 2.5}
        />
      ))}
      {Array.from({ length: marks.excluded }, (_, index) => (
        <circle key={index} className="timeline__bot" cx={x} cy={line + 13 + index * 11} r="3.5" />
      ))}
    </g>
  );
}

/**
 * Opens per day as single marks, few enough to count. Time runs from left to right in every
 * language. `description` states the same in text.
 */
function Timeline({ description }: { description: string }) {
  const { byDay } = demoLink;
  const line = 11 + Math.max(...byDay.map(({ opens }) => opens.length)) * row;
  const height = line + 12 + Math.max(...byDay.map(({ excluded }) => excluded)) * 11;
  const width = byDay.length * column;
  return (
    <svg
      className="timeline"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={description}
    >
      <line className="timeline__line" x1="0" x2={width} y1={line} y2={line} />
      {byDay.map((marks, index) => (
        <Day key={marks.day} marks={marks} x={(index + 0.5) * column} line={line} />
      ))}
    </svg>
  );
}

function Chart() {
  const { t } = useTranslation("home-story");
  const language = useLanguage();
  const { sharedDay, lastDay, opens, people, activeDays: days, busiestDay } = demoLink;
  const long = (day: number): string => formatDate(language, demoDate(day), "day");
  const short = (day: number): string => formatDate(language, demoDate(day), "shortDay");
  const [from, to, busiest] = [long(sharedDay), long(lastDay), long(busiestDay)];
  return (
    <div className="record__chart">
      <Timeline description={t("demo.chart", { from, to, opens, people, days, busiest })} />
      <div className="record__axis" dir="ltr" aria-hidden="true">
        <bdi>{short(sharedDay)}</bdi>
        <bdi>{short(lastDay)}</bdi>
      </div>
      <ul className="record__legend" aria-label={t("demo.legend.label")}>
        <li className="record__key record__key--new">{t("demo.legend.new")}</li>
        <li className="record__key record__key--again">{t("demo.legend.again")}</li>
        <li className="record__key record__key--bot">{t("demo.legend.bot")}</li>
      </ul>
    </div>
  );
}

function LatestOpens() {
  const { t } = useTranslation("home-story");
  const language = useLanguage();
  return (
    <table className="record__latest">
      <caption>{t("demo.latest")}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t("demo.columns.time")}</th>
          <th scope="col">{t("demo.columns.place")}</th>
          <th scope="col">{t("demo.columns.who")}</th>
        </tr>
      </thead>
      <tbody>
        {demoLink.latest.map(({ day, time, region, first }) => (
          <tr key={`${day} ${time}`}>
            <td>
              <time dateTime={`${demoDate(day)}T${time}`}>
                {formatDate(language, demoDate(day), "shortDay")}
                <span className="record__clock">{time}</span>
              </time>
            </td>
            <td>{t(`example.regions.${region}`)}</td>
            <td className={first ? "record__who record__who--new" : "record__who"}>
              {first ? t("demo.new") : t("demo.again")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the owner of a link will see: its opens, and what was not counted. An invented example. */
export function LinkDemo() {
  const { t } = useTranslation("home-story");
  const { address, sharedDay, opens, people, excluded, excludedByReason } = demoLink;
  const date = formatDate(useLanguage(), demoDate(sharedDay), "day");
  return (
    <div className="record">
      <div className="record__head">
        <p className="record__label">{t("example.label")}</p>
        <p className="record__address">
          <bdi dir="ltr">{address}</bdi>
          <span>{t("demo.sharedOn", { date })}</span>
        </p>
      </div>
      <p className="record__answer">
        <OpenedMark>{t("demo.opened", { count: opens })}</OpenedMark>{" "}
        <span className="record__people">{t("demo.byPeople", { count: people })}</span>
      </p>
      <Chart />
      <LatestOpens />
      <div className="record__excluded">
        <p>{t("demo.excluded", { count: excluded })}</p>
        <ul className="record__reasons">
          {excludedByReason.map(([reason, count]) => (
            <li key={reason}>{t(`demo.reason.${reason}`, { count })}</li>
          ))}
        </ul>
      </div>
      <p className="record__zone">{t("demo.zone")}</p>
    </div>
  );
}
