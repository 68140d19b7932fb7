import { insightLimits } from "@pro-talent/schemas/insights/limits";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import type { CallAnswer } from "../../api-client/request.ts";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { LineChart } from "../../ui/charts/line-chart.tsx";
import { Choice } from "../../ui/choice/choice.tsx";
import { isolated } from "../isolated.ts";
import { linksQuery, type OpensAsked } from "../link-opens.ts";
import { comparedQuery, type ShareLink } from "./link-queries.ts";
import { useLinkTexts } from "./link-texts.ts";

type OthersProps = {
  others: readonly ShareLink[];
  chosen: readonly ShareLink[];
  onToggle: (linkId: string) => void;
};

function Others({ others, chosen, onToggle }: OthersProps) {
  const { t } = useTranslation("links");
  return (
    <fieldset className="links__choices">
      <legend className="visually-hidden">{t("compare.title")}</legend>
      {others.map(({ linkId, label }) => (
        <Choice
          key={linkId}
          type="checkbox"
          id={`with-${linkId}`}
          name="with"
          value={linkId}
          label={label}
          checked={chosen.some((one) => one.linkId === linkId)}
          onChange={() => onToggle(linkId)}
        />
      ))}
    </fieldset>
  );
}

/** A chart shows so many curves, those of the links with the most opens. */
const curvesMax = 3;

type Compared = CallAnswer<"GET /api/insights/links/compared">["links"];
type CurvesProps = { links: Compared; labels: ReadonlyMap<string, string> };

function Curves({ links, labels }: CurvesProps) {
  const { t } = useTranslation("links");
  const { opens, momentOf, day } = useLinkTexts();
  const shown = links
    .toSorted((one, other) => other.totals.opens - one.totals.opens)
    .slice(0, curvesMax);
  const points = shown.flatMap(({ linkId, series }) => series.map((one) => ({ linkId, ...one })));
  const [highest] = points.toSorted((one, other) => other.opens - one.opens);
  if (highest === undefined || highest.opens === 0) return null;
  return (
    <LineChart
      texts={{
        sentence: t("compare.overTime", {
          label: isolated(labels.get(highest.linkId) ?? ""),
          opens: opens(highest.opens),
          time: day(highest.at),
          interpolation: { escapeValue: false },
        }),
        plot: t("time.title"),
        explore: t("explore"),
        showTable: t("showTable"),
        time: t("time.time"),
      }}
      times={(shown[0]?.series ?? []).map(({ at }) => Date.parse(at))}
      series={shown.map(({ linkId, series }) => ({
        id: linkId,
        name: labels.get(linkId) ?? "",
        values: series.map((one) => one.opens),
      }))}
      formatTime={momentOf(shown[0]?.series ?? [])}
      formatTick={day}
    />
  );
}

type ComparisonProps = { link: ShareLink; asked: OpensAsked };

/** The opens of this link beside those of others, which the address names. */
export function Comparison({ link, asked }: ComparisonProps) {
  const { t } = useTranslation("links");
  const { opens } = useLinkTexts();
  const [search, setSearch] = useSearchParams();
  const all = useQuery(linksQuery).data?.links ?? [];
  const others = all.filter(({ linkId }) => linkId !== link.linkId);
  const named = new Set((search.get("with") ?? "").split(","));
  const chosen = others
    .filter(({ linkId }) => named.has(linkId))
    .slice(0, insightLimits.linksComparedMax - 1);
  const ids = [link, ...chosen].map(({ linkId }) => linkId);
  const { data } = useQuery({ ...comparedQuery(ids, asked), enabled: chosen.length > 0 });
  if (others.length === 0) return null;
  const toggle = (linkId: string): void => {
    const next = new URLSearchParams(search);
    const kept = chosen.map((one) => one.linkId).filter((one) => one !== linkId);
    const names = kept.length < chosen.length ? kept : [...kept, linkId];
    if (names.length === 0) next.delete("with");
    else next.set("with", names.join(","));
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const labels = new Map(all.map((one) => [one.linkId, one.label]));
  const bars = (data?.links ?? [])
    .map(({ linkId, totals }) => ({
      id: linkId,
      label: labels.get(linkId) ?? "",
      value: totals.opens,
    }))
    .toSorted((one, other) => other.value - one.value);
  const [first] = bars;
  const full = chosen.length >= insightLimits.linksComparedMax - 1;
  const offered = others.filter(({ linkId }) => !full || named.has(linkId));
  return (
    <section className="links__part">
      <h2>{t("compare.title")}</h2>
      <details className="links__more" open={chosen.length > 0}>
        <summary>{t("compare.choose", { max: insightLimits.linksComparedMax - 1 })}</summary>
        <Others others={offered} chosen={chosen} onToggle={toggle} />
      </details>
      {first !== undefined && chosen.length > 0 && (
        <BarChart
          texts={{
            sentence: t("compare.sentence", {
              label: isolated(first.label),
              opens: opens(first.value),
              interpolation: { escapeValue: false },
            }),
            plot: t("compare.title"),
            explore: t("explore"),
            showTable: t("showTable"),
            label: t("fields.label"),
            value: t("totals.opens"),
          }}
          bars={bars}
        />
      )}
      {chosen.length > 0 && <Curves links={data?.links ?? []} labels={labels} />}
    </section>
  );
}
