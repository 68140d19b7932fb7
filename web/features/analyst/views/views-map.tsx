import { useTranslation } from "react-i18next";

import type { DescribedView } from "../analyst-calls.ts";

/** Under which heading a view stands on the map. */
const groups = {
  visits: ["sessions", "events"],
  pages: ["page_views_daily", "page_engagement_daily", "web_vitals_daily", "not_found_daily"],
  arrivals: ["referrers_daily", "audience_daily", "languages_daily"],
  rest: [
    "links_daily",
    "link_opens_daily",
    "consent_daily",
    "visits_without_consent_daily",
    "server_events_daily",
  ],
} as const;
const names = ["visits", "pages", "arrivals", "rest"] as const;

const boxPx = { width: 218, height: 26, gap: 6 };
const headPx = 34;
const columnPx = 244;

/** A region that scrolls has to be reached by the keyboard. */
const scrollRegion = { role: "region", tabIndex: 0 } as const;

type MapColumnProps = { at: number; name: (typeof names)[number]; views: readonly string[] };

function MapColumn({ at, name, views }: MapColumnProps) {
  const { t } = useTranslation("analyst-views");
  return (
    <g transform={`translate(${at * columnPx + 1} 0)`}>
      <text className="views-map__head" x={boxPx.width / 2} y={20} textAnchor="middle">
        {t(`map.${name}`)}
      </text>
      {views.map((view, row) => (
        <g key={view} transform={`translate(0 ${headPx + row * (boxPx.height + boxPx.gap)})`}>
          <rect className="views-map__box" width={boxPx.width} height={boxPx.height} rx={3} />
          <text className="views-map__name" x={8} y={boxPx.height / 2} dy="0.35em">
            {view}
          </text>
        </g>
      ))}
    </g>
  );
}

/**
 * The views as a map: on the left those of single visits, on the right what is counted by days. The lines say
 * from what the numbers of days are made; the same is said in words behind the map.
 */
export function ViewsMap({ views }: { views: readonly DescribedView[] }) {
  const { t } = useTranslation("analyst-views");
  const known = new Set(views.map(({ name }) => name));
  const columns = names.map((name) => ({
    name,
    views: groups[name].filter((view) => known.has(view)),
  }));
  const rows = Math.max(...columns.map((column) => column.views.length));
  const height = headPx + rows * (boxPx.height + boxPx.gap) + 4;
  const width = columnPx * columns.length - (columnPx - boxPx.width) + 2;
  const middle = headPx + boxPx.height / 2;
  return (
    <figure className="views-map">
      <figcaption>{t("map.text")}</figcaption>
      <div className="views-map__scroll" dir="ltr" aria-label={t("map.title")} {...scrollRegion}>
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={t("map.text")}
          direction="ltr"
        >
          {columns.slice(1, 3).map(({ name }, at) => (
            <path
              key={name}
              className="views-map__line"
              d={`M${boxPx.width} ${middle} H${columnPx * (at + 1)}`}
            />
          ))}
          {columns.map((column, at) => (
            <MapColumn key={column.name} at={at} {...column} />
          ))}
        </svg>
      </div>
    </figure>
  );
}
