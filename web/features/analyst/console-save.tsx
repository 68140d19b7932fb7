import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { Button } from "../../ui/button/button.tsx";
import { isolated } from "../isolated.ts";
import type { KeptQuery } from "./kept-queries.ts";
import { parametersIn, valueOf } from "./parameters.ts";
import { SaveQuery } from "./work/save-query.tsx";
import { isSame, type QueryContent, savedWorkQuery, type SavedWork } from "./work/work-queries.ts";
import { pathOf } from "./work/work-texts.ts";

import "./work/work.css";
import "./work/query.css";

const contentOf = ({ text, parameters, chart }: KeptQuery): QueryContent => ({
  kind: "query",
  text,
  parameters: parametersIn(text).map(({ name, type, kind }) => ({
    name,
    kind,
    value: valueOf({ name, type, kind }, parameters),
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
  /** Called instead of a change of the origin. */
  onSaved?: (saved: SavedWork) => void;
  /** Ends the editing; without it the page says what the query is saved as. */
  onLeave?: () => void;
};

/** Saves a query of the console; one that was opened from a saved one as its next version. */
export function ConsoleSave({ query, onChange, onSaved, onLeave }: ConsoleSaveProps) {
  const { t } = useTranslation(["analyst", "analyst-work"]);
  const { origin } = query;
  const known = useQuery({
    ...savedWorkQuery(origin?.workId ?? ""),
    enabled: origin !== undefined,
  });
  const saved = origin === undefined ? undefined : known.data?.saved;
  const content = contentOf(query);
  const isChanged = !isSame(content, saved?.content);
  const keep = ({ workId, version }: SavedWork): void => onChange({ origin: { workId, version } });
  const savedAs = saved !== undefined && (
    <Link to={pathOf(saved)}>
      {t("saved", { title: isolated(saved.title), version: origin?.version })}
    </Link>
  );
  const leave = (
    <Button variant="text" onClick={onLeave}>
      {t(isChanged ? "analyst-work:query.keep" : "analyst-work:query.done")}
    </Button>
  );
  return (
    <SaveQuery
      content={content}
      origin={origin}
      isChanged={isChanged}
      onSaved={onSaved ?? keep}
      onContent={(next, version) =>
        onChange(keptOf(next, origin && { workId: origin.workId, version }))
      }
      actions={onLeave === undefined ? savedAs : leave}
    />
  );
}
