import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { isolated } from "../isolated.ts";
import type { KeptQuery } from "./kept-queries.ts";
import { parametersIn } from "./parameters.ts";
import { SaveQuery } from "./work/save-query.tsx";
import { isSame, type QueryContent, savedWorkQuery, type SavedWork } from "./work/work-queries.ts";
import { pathOf } from "./work/work-texts.ts";

import "./work/work.css";
import "./work/query.css";

const contentOf = ({ text, parameters, chart }: KeptQuery): QueryContent => ({
  kind: "query",
  text,
  parameters: parametersIn(text).map(({ name, kind }) => ({
    name,
    kind,
    value: parameters[name] ?? "",
  })),
  chart: { ...chart, y: [...chart.y] },
});

/** What a query of the console is when it begins with a saved one. */
export const keptOf = (content: QueryContent, origin: KeptQuery["origin"]) => ({
  text: content.text,
  parameters: Object.fromEntries(content.parameters.map(({ name, value }) => [name, value])),
  chart: content.chart,
  origin,
});

type ConsoleSaveProps = {
  query: KeptQuery;
  onChange: (part: Partial<KeptQuery>) => void;
};

/** Saves the query of the console; one that was opened from a saved one as its next version. */
export function ConsoleSave({ query, onChange }: ConsoleSaveProps) {
  const { t } = useTranslation("analyst");
  const { origin } = query;
  const known = useQuery({
    ...savedWorkQuery(origin?.workId ?? ""),
    enabled: origin !== undefined,
  });
  const saved = origin === undefined ? undefined : known.data?.saved;
  const content = contentOf(query);
  const onSaved = ({ workId, version }: SavedWork): void =>
    onChange({ origin: { workId, version } });
  return (
    <SaveQuery
      content={content}
      origin={origin}
      isChanged={!isSame(content, saved?.content)}
      onSaved={onSaved}
      onContent={(next, version) =>
        onChange(keptOf(next, origin && { workId: origin.workId, version }))
      }
      actions={
        saved !== undefined && (
          <Link to={pathOf(saved)}>
            {t("saved", { title: isolated(saved.title), version: origin?.version })}
          </Link>
        )
      }
    />
  );
}
