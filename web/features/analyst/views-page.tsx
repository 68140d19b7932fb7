import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Field } from "../../ui/field/field.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useViewTexts } from "../view-texts.ts";
import { type DescribedView, useDescribed } from "./analyst-calls.ts";
import { AnalystPages } from "./analyst-pages.tsx";

import "./views-page.css";

/** Under which heading a view stands on the map. */
const groups = {
  visits: ["sessions", "events", "page_views"],
  pages: ["page_views_daily", "page_engagement_daily", "web_vitals_daily", "not_found_daily"],
  arrivals: ["referrers_daily", "audience_daily", "languages_daily", "visitors_daily"],
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
function ViewsMap({ views }: { views: readonly DescribedView[] }) {
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

/** A view with the columns that match; undefined where nothing of it does. */
function matching(view: DescribedView, wanted: string): DescribedView | undefined {
  const has = (...texts: readonly string[]): boolean =>
    texts.some((text) => text.toLowerCase().includes(wanted));
  if (wanted === "" || has(view.name, view.summary)) return view;
  const columns = view.columns.filter(({ name, type, meaning }) => has(name, type, meaning));
  return columns.length === 0 ? undefined : { ...view, columns };
}

function View({ view: { name, summary, columns } }: { view: DescribedView }) {
  const { t } = useTranslation("analyst-views");
  const headers = ["name", "type", "class", "example", "meaning"] as const;
  return (
    <section className="views__view" id={name} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`} dir="ltr">
        {name}
      </h2>
      <p>{summary}</p>
      <ReadingTable
        caption={t("caption", { name })}
        columns={headers.map((id) => ({ id, header: t(`columns.${id}`) }))}
        rows={columns.map((column) => ({
          id: column.name,
          cells: {
            name: <code dir="ltr">{column.name}</code>,
            type: <code dir="ltr">{column.type}</code>,
            class: t(`classes.${column.class}`),
            example: <bdi className="views__example">{column.example}</bdi>,
            meaning: column.meaning,
          },
        }))}
      />
    </section>
  );
}

function Views({ views, wanted }: { views: readonly DescribedView[]; wanted: string }) {
  const { t } = useTranslation("analyst-views");
  const found = views.flatMap((view) => matching(view, wanted.toLowerCase()) ?? []);
  return (
    <div className="views">
      <output>{wanted === "" ? "" : t("found", { count: found.length })}</output>
      {wanted === "" && <ViewsMap views={views} />}
      {found.map((view) => (
        <View key={view.name} view={view} />
      ))}
    </div>
  );
}

/** What queries can be about: each view, each column. */
export function ViewsPage() {
  const { t } = useTranslation("analyst-views");
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("q") ?? "";
  const query = useDescribed();
  const { texts, describe } = useViewTexts(t("loading"));
  const find = (text: string): void => setSearch(text === "" ? {} : { q: text }, { replace: true });
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <AnalystPages />
      <div className="views__search">
        <Field id={id} label={t("search")}>
          {(control) => (
            <input
              {...control}
              type="search"
              dir="auto"
              value={wanted}
              onChange={({ target }) => find(target.value)}
            />
          )}
        </Field>
      </div>
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={8} />}
        isEmpty={({ views }) =>
          views.every((view) => matching(view, wanted.toLowerCase()) === undefined)
        }
        empty={{ title: t("none.title") }}
        filter={
          wanted === ""
            ? undefined
            : { title: t("none.title"), body: t("none.body"), onClear: () => find("") }
        }
        describe={describe}
      >
        {({ views }) => <Views views={views} wanted={wanted} />}
      </DataView>
    </>
  );
}
