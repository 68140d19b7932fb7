import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { buttonClass } from "../../ui/button/button.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { firstOpenQuery } from "./link-queries.ts";
import { useLinkTexts } from "./link-texts.ts";

import "./links.css";
import "./without-insights.css";

/** Of plans without analytics: the first open, which is theirs, and a sample that says it is one. */
export function WithoutInsights() {
  const { t } = useTranslation("links");
  const { time, seen, place } = useLinkTexts();
  const { data } = useQuery(firstOpenQuery);
  const open = data?.open;
  const sample = [
    { id: "IL", label: t("sample.first"), value: 9 },
    { id: "DE", label: t("sample.second"), value: 4 },
    { id: "US", label: t("sample.third"), value: 1 },
  ];
  return (
    <section className="links__without" aria-labelledby="without-insights">
      <h2 id="without-insights">{t("without.title")}</h2>
      {open !== undefined && (
        <p className="links__sentence">
          {open === null
            ? t("without.none")
            : t("without.first", {
                time: time(open.at),
                seen: seen(open),
                place: place(open),
                interpolation: { escapeValue: false },
              })}
        </p>
      )}
      <p>{t("without.body")}</p>
      <Link className={buttonClass()} to="/account/subscription">
        {t("without.action")}
      </Link>
      <div className="links__sample">
        <p className="links__sample-name">{t("sample.title")}</p>
        <BarChart
          texts={{
            sentence: t("sample.sentence"),
            plot: t("sample.title"),
            explore: t("explore"),
            showTable: t("showTable"),
            label: t("places.label"),
            value: t("totals.opens"),
          }}
          bars={sample}
        />
      </div>
    </section>
  );
}
