import { channels, deviceClasses } from "@pro-talent/schemas/analytics/kinds";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import type { CallAnswer } from "../../api-client/request.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { LineChart } from "../../ui/charts/line-chart.tsx";
import { useAccount } from "../account-query.ts";

type Traffic = CallAnswer<"GET /api/console/traffic">;

/** Rows of a ranking that are drawn; the others are summed up. */
const rowsMax = 8;

const useFormats = () => {
  const language = useLanguage();
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  return {
    language,
    number: (value: number) => number.format(value),
    percent: (value: number) => percent.format(value),
  };
};

const minuteSeconds = 60;

/** The sentence, then the figures it is made of. */
function Figures({ traffic: { totals, before } }: { traffic: Traffic }) {
  const { t } = useTranslation("traffic");
  const { number, percent } = useFormats();
  const change = totals.visits - before.visits;
  const compared = change === 0 ? "same" : change > 0 ? "more" : "fewer";
  const seconds = totals.medianSeconds;
  const duration =
    seconds === null
      ? t("figures.none")
      : t("figures.duration", {
          minutes: Math.floor(seconds / minuteSeconds),
          seconds: String(seconds % minuteSeconds).padStart(2, "0"),
        });
  const shown = [
    ["visits", number(totals.visits)],
    ["visitors", number(totals.visitors)],
    ["views", number(totals.views)],
    ["bounce", totals.bounceRate === null ? t("figures.none") : percent(totals.bounceRate)],
    ["median", duration],
    ["counted", number(totals.countedViews)],
  ] as const;
  return (
    <section aria-label={t("figures.title")}>
      <p className="traffic__sentence">
        {t("sentence", { count: totals.visits, shown: number(totals.visits) })}{" "}
        {t(`compared.${compared}`, { count: Math.abs(change), shown: number(Math.abs(change)) })}
      </p>
      <dl className="traffic__figures">
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`figures.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function VisitsOverTime({ traffic: { series }, zone }: { traffic: Traffic; zone: string }) {
  const { t } = useTranslation("traffic");
  const { language, number } = useFormats();
  const long = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: zone });
  const short = new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: "short",
    timeZone: zone,
  });
  const most = series.reduce((best, one) => (one.visits > best.visits ? one : best), {
    at: "",
    visits: 0,
  });
  return (
    <section className="traffic__part">
      <h2>{t("time.title")}</h2>
      <LineChart
        texts={{
          sentence:
            most.visits === 0
              ? t("time.none")
              : t("time.sentence", {
                  shown: number(most.visits),
                  count: most.visits,
                  day: long.format(Date.parse(most.at)),
                }),
          plot: t("time.plot"),
          explore: t("explore"),
          showTable: t("showTable"),
          time: t("time.time"),
        }}
        times={series.map(({ at }) => Date.parse(at))}
        series={[
          { id: "visits", name: t("figures.visits"), values: series.map(({ visits }) => visits) },
          { id: "views", name: t("figures.views"), values: series.map(({ views }) => views) },
        ]}
        formatTime={(time) => long.format(time)}
        formatTick={(time) => short.format(time)}
      />
    </section>
  );
}

type Kind = "pages" | "channels" | "campaigns" | "countries" | "devices" | "languages";

/** The words for what is stored as a code. */
function useNames(): (kind: Kind, name: string) => string {
  const { t } = useTranslation("traffic");
  const language = useLanguage();
  const regions = new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  const languages = new Intl.DisplayNames(language, { type: "language", fallback: "code" });
  const named = (names: Intl.DisplayNames, code: string): string => {
    try {
      return names.of(code) ?? code;
    } catch {
      // What a browser sent need not be a code.
      return code;
    }
  };
  return (kind, name) => {
    if (name === "") return t("unknown");
    if (kind === "countries") return named(regions, name);
    if (kind === "languages") return named(languages, name);
    const channel = channels.find((one) => one === name);
    if (kind === "channels" && channel !== undefined) return t(`channelNames.${channel}`);
    const device = deviceClasses.find((one) => one === name);
    return kind === "devices" && device !== undefined ? t(`deviceNames.${device}`) : name;
  };
}

type RankingProps = {
  title: string;
  kind: Kind;
  traffic: Traffic;
  onChoose?: (name: string) => void;
};

/** What there was most of: a chart with its sentence and its table. */
function Ranking({ title, kind, traffic, onChoose }: RankingProps) {
  const { t } = useTranslation("traffic");
  const { number } = useFormats();
  const nameOf = useNames();
  const rows = traffic[kind].slice(0, rowsMax);
  const [first] = rows;
  return (
    <section className="traffic__part">
      <h2>{title}</h2>
      {first === undefined ? (
        <p className="traffic__nothing">{t(`${kind}.none`)}</p>
      ) : (
        <BarChart
          texts={{
            sentence: t(`${kind}.sentence`, {
              name: nameOf(kind, first.name),
              shown: number(first.visits),
              count: first.visits,
            }),
            plot: title,
            explore: t("explore"),
            showTable: t("showTable"),
            label: t(`${kind}.label`),
            value: t("figures.visits"),
          }}
          bars={rows.map(({ name, visits }) => ({
            id: name,
            label: nameOf(kind, name),
            value: visits,
          }))}
          formatValue={number}
        />
      )}
      {onChoose !== undefined && rows.length > 1 && (
        <p className="traffic__choices">
          {rows.map(({ name }) => (
            <Button key={name} onClick={() => onChoose(name)}>
              {t("filter.only", { channel: nameOf(kind, name) })}
            </Button>
          ))}
        </p>
      )}
    </section>
  );
}

/** How visitors decided about analytics. */
function ConsentShares({ consent }: Pick<Traffic, "consent">) {
  const { t } = useTranslation("traffic");
  const { number, percent } = useFormats();
  const { granted, rejected, withdrawn } = consent;
  const decided = granted + rejected;
  return (
    <section className="traffic__part">
      <h2>{t("consent.title")}</h2>
      {decided === 0 ? (
        <p className="traffic__nothing">{t("consent.none")}</p>
      ) : (
        <BarChart
          texts={{
            sentence: t("consent.sentence", {
              share: percent(granted / decided),
              count: decided,
              shown: number(decided),
            }),
            plot: t("consent.title"),
            explore: t("explore"),
            showTable: t("showTable"),
            label: t("consent.label"),
            value: t("consent.value"),
          }}
          bars={[
            { id: "granted", label: t("consent.granted"), value: granted },
            { id: "rejected", label: t("consent.rejected"), value: rejected },
            { id: "withdrawn", label: t("consent.withdrawn"), value: withdrawn, doubtful: true },
          ]}
          formatValue={number}
        />
      )}
    </section>
  );
}

/** What visits led to. */
function Goals({ traffic: { goals } }: { traffic: Traffic }) {
  const { t } = useTranslation("traffic");
  const { number, percent } = useFormats();
  return (
    <section className="traffic__part">
      <h2>{t("goals.title")}</h2>
      <p>{t("goals.lead")}</p>
      <dl className="traffic__figures">
        {goals.map(({ goal, visits, rate }) => (
          <div key={goal}>
            <dt>{t(`goals.${goal}`)}</dt>
            <dd>
              {number(visits)}
              {rate !== null && (
                <span className="traffic__rate"> {t("goals.rate", { share: percent(rate) })}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Everything that is known of the period. */
export function TrafficView({ traffic }: { traffic: Traffic }) {
  const { t } = useTranslation("traffic");
  const [query, setQuery] = useSearchParams();
  const { profile } = useAccount();
  const choose = (channel: string): void => {
    const next = new URLSearchParams(query);
    next.set("channel", channel);
    setQuery(next);
  };
  return (
    <div className="traffic">
      <Figures traffic={traffic} />
      <VisitsOverTime traffic={traffic} zone={profile.timeZone} />
      <div className="traffic__pair">
        <Ranking title={t("pages.title")} kind="pages" traffic={traffic} />
        <Ranking title={t("channels.title")} kind="channels" traffic={traffic} onChoose={choose} />
        <Ranking title={t("campaigns.title")} kind="campaigns" traffic={traffic} />
        <Ranking title={t("countries.title")} kind="countries" traffic={traffic} />
        <Ranking title={t("devices.title")} kind="devices" traffic={traffic} />
        <Ranking title={t("languages.title")} kind="languages" traffic={traffic} />
      </div>
      <div className="traffic__pair">
        <ConsentShares consent={traffic.consent} />
        <Goals traffic={traffic} />
      </div>
    </div>
  );
}
