import { lazy, Suspense, useEffect, useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { useViewTexts } from "../view-texts.ts";
import { type Described, useDescribed } from "./analyst-calls.ts";
import { AnalystPages } from "./analyst-pages.tsx";
import type { KeptQuery } from "./kept-queries.ts";
import { QueryPanel } from "./query-panel.tsx";
import { QueryRun } from "./query-run.ts";
import { QueryTabs, useKeptQueries } from "./query-tabs.tsx";
import { useAmounts } from "./run-bar.tsx";

import "./console-page.css";

const ConsoleSave = lazy(async () => ({
  default: (await import("./console-save.tsx")).ConsoleSave,
}));

/** Runs by the tab of their query: a result stays while another tab is shown. */
class Runs {
  readonly #runs = new Map<string, QueryRun>();
  of(queryId: string): QueryRun {
    const run = this.#runs.get(queryId) ?? new QueryRun();
    this.#runs.set(queryId, run);
    return run;
  }
  /** Ends those of tabs that are closed. */
  keep(queryIds: readonly string[]): void {
    for (const [id, run] of this.#runs) {
      if (queryIds.includes(id)) continue;
      run.close();
      this.#runs.delete(id);
    }
  }
}

type ViewListProps = { described: Described; onInsert: (name: string) => void };

/** The views by name, with their columns: what can be written into the query. */
function ViewList({ described, onInsert }: ViewListProps) {
  const { t } = useTranslation("analyst");
  return (
    <section className="view-list">
      <h2>{t("views.title")}</h2>
      {described.views.map(({ name, columns }) => (
        <details key={name} className="view-list__view">
          <summary>
            <bdi>{name}</bdi>
          </summary>
          <ul className="view-list__columns" dir="ltr">
            {columns.map(({ name: column, type, meaning }) => (
              <li key={column}>
                <button
                  type="button"
                  title={meaning}
                  aria-label={t("views.insert", { name: column })}
                  onClick={() => onInsert(column)}
                >
                  {column}
                </button>
                <span>{type}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
      <p>
        <Link to="/console/analyst/views">{t("views.open")}</Link>
      </p>
    </section>
  );
}

const byteLimits = ["bytesReadMax", "memoryBytesMax"] as const;
const countLimits = ["rowsReadMax", "fileRowsMax", "runningEachMax", "queriesPerHour"] as const;

function Limits({ limits }: Pick<Described, "limits">) {
  const { t } = useTranslation("analyst");
  const { number, bytes } = useAmounts();
  const shown = [
    [t("limits.secondsMax"), t("limits.seconds", { count: limits["secondsMax"] ?? 0 })],
    ...countLimits.map((name) => [t(`limits.${name}`), number(limits[name] ?? 0)] as const),
    ...byteLimits.map((name) => [t(`limits.${name}`), bytes(limits[name] ?? 0)] as const),
  ] as const;
  return (
    <section className="query-limits">
      <h2>{t("limits.title")}</h2>
      <dl>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Console({ described }: { described: Described }) {
  const { accountId } = useAccount();
  const kept = useKeptQueries(accountId);
  const panelId = useId();
  const runs = useMemo(() => new Runs(), []);
  const { queries, shown, change } = kept;
  const ids = queries.map(({ id }) => id).join(" ");
  useEffect(() => runs.keep(ids.split(" ")), [runs, ids]);
  // Leaving the page ends what still runs.
  useEffect(() => () => runs.keep([]), [runs]);
  const query = queries.find(({ id }) => id === shown) ?? queries[0];
  if (query === undefined) return null;
  const onChange = (part: Partial<KeptQuery>): void => change(query.id, part);
  return (
    <div className="analyst-console">
      <div className="analyst-console__main">
        <QueryTabs kept={kept} panelId={panelId} />
        <div key={query.id} id={panelId} role="tabpanel" tabIndex={-1}>
          <QueryPanel
            query={query}
            described={described}
            run={runs.of(query.id)}
            onChange={onChange}
            save={
              <Suspense>
                <ConsoleSave query={query} onChange={onChange} />
              </Suspense>
            }
          />
        </div>
      </div>
      <aside className="analyst-console__aside">
        <ViewList
          described={described}
          onInsert={(name) =>
            onChange({ text: `${query.text}${/\S$/u.test(query.text) ? " " : ""}${name}` })
          }
        />
        <Limits limits={described.limits} />
      </aside>
    </div>
  );
}

/** SQL over the views: written, run, and read as a table or a chart. */
export function ConsolePage() {
  const { t } = useTranslation("analyst");
  const query = useDescribed();
  const { texts, describe } = useViewTexts(t("loading"));
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <AnalystPages />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={3} />}
        isEmpty={() => false}
        empty={{ title: t("first.title") }}
        describe={describe}
      >
        {(described) => <Console described={described} />}
      </DataView>
    </>
  );
}
