import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { ReadingTable } from "../../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { useViewTexts } from "../../view-texts.ts";
import { type DescribedView, viewsQuery } from "../analyst-calls.ts";
import { AnalystPages } from "../analyst-pages.tsx";
import { ViewsMap } from "./views-map.tsx";

import "./views-page.css";

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
      <p lang="en" dir="ltr">
        {summary}
      </p>
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
            meaning: (
              <span lang="en" dir="ltr">
                {column.meaning}
              </span>
            ),
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

/** What queries can be about: each view, each column. The descriptions are of the contract, in English. */
export function ViewsPage() {
  const { t } = useTranslation("analyst-views");
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("q") ?? "";
  const query = useQuery(viewsQuery);
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
