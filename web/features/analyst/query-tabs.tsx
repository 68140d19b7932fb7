import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { AppIcon } from "../../ui/icon/app-icon.tsx";
import {
  keepQueries,
  type KeptQueries,
  type KeptQuery,
  keptMax,
  nameOf,
  newQuery,
  readQueries,
} from "./kept-queries.ts";

/** The queries of the console, kept in this browser. */
export function useKeptQueries(accountId: string) {
  const [kept, setKept] = useState(() => readQueries(accountId));
  const set = (change: (before: KeptQueries) => KeptQueries): void =>
    setKept((before) => {
      const next = change(before);
      keepQueries(accountId, next);
      return next;
    });
  const change = (id: string, part: Partial<KeptQuery>): void =>
    set(({ queries, ...rest }) => ({
      ...rest,
      queries: queries.map((query) => (query.id === id ? { ...query, ...part } : query)),
    }));
  const add = (query: KeptQuery): void =>
    set(({ queries }) => ({ queries: [...queries, query], shown: query.id }));
  const close = (id: string): void =>
    set(({ queries, shown }) => {
      const left = queries.filter((query) => query.id !== id);
      const rest = left.length === 0 ? [newQuery()] : left;
      return { queries: rest, shown: shown === id ? (rest.at(-1)?.id ?? "") : shown };
    });
  const show = (id: string): void => set((before) => ({ ...before, shown: id }));
  return { ...kept, change, add, close, show };
}

type Kept = ReturnType<typeof useKeptQueries>;

/** Arrows move in the direction of the page, Delete closes the query that is shown. */
function useTabKeys({ queries, shown, show, close }: Kept, list: RefObject<HTMLElement | null>) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
    const at = queries.findIndex(({ id }) => id === shown);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: isRtl ? -1 : 1,
      ArrowLeft: isRtl ? 1 : -1,
      Home: -at,
      End: queries.length - 1 - at,
    };
    const step = steps[event.key];
    if (event.key === "Delete") close(shown);
    else if (step === undefined) return;
    else {
      const to = (at + step + queries.length) % queries.length;
      show(queries[to]?.id ?? shown);
      list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
    }
    event.preventDefault();
  };
}

type QueryTabsProps = { kept: Kept; panelId: string };

/** The tabs of the queries; Delete closes the one that has the focus. */
export function QueryTabs({ kept, panelId }: QueryTabsProps) {
  const { t } = useTranslation("analyst");
  const list = useRef<HTMLDivElement>(null);
  const { queries, shown, show, close, add } = kept;
  const named = queries.map((query, at) => ({
    ...query,
    name: nameOf(query) ?? t("tabs.untitled", { number: at + 1 }),
  }));
  const onKeyDown = useTabKeys(kept, list);
  // On a narrow screen the tabs are one row that scrolls.
  useEffect(() => {
    const tab = list.current?.querySelector("[aria-selected=true]");
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [shown]);
  const current = named.find(({ id }) => id === shown);
  return (
    <div className="query-tabs">
      <div ref={list} className="query-tabs__list" role="tablist" aria-label={t("tabs.label")}>
        {named.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            className="query-tabs__tab"
            aria-selected={id === shown}
            aria-controls={id === shown ? panelId : undefined}
            tabIndex={id === shown ? 0 : -1}
            onKeyDown={onKeyDown}
            onClick={() => show(id)}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
      <Button variant="text" disabled={queries.length >= keptMax} onClick={() => add(newQuery())}>
        {t("tabs.new")}
      </Button>
      {queries.length > 1 && current !== undefined && (
        <Button
          variant="text"
          aria-label={t("tabs.close", { name: current.name })}
          onClick={() => close(shown)}
        >
          <AppIcon name="close" />
        </Button>
      )}
      <p className="query-tabs__kept">
        {queries.length >= keptMax ? t("tabs.full") : t("tabs.kept")}
      </p>
    </div>
  );
}
