import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { useLanguage } from "../../../i18n/use-language.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { localTime } from "../../local-time.ts";
import { useViewTexts } from "../../view-texts.ts";
import { useOpenInConsole } from "./work-acts.ts";
import { type HistoryEntry, historyQuery } from "./work-queries.ts";
import { useWorkTexts } from "./work-texts.ts";

import "./work.css";
import "./history.css";

const selections = ["all", "shown", "unanswered"] as const;

/** The first lines say which query it is. */
const linesShown = 3;

/** The text of a query, of which a long one is opened. */
export function QueryLines({ text }: { text: string }) {
  const { t } = useTranslation("analyst-work");
  const lines = text.split("\n");
  if (lines.length <= linesShown)
    return (
      <pre className="history__text" dir="ltr">
        {text}
      </pre>
    );
  return (
    <details className="history__details">
      <summary>
        <span className="history__text" dir="ltr">
          {lines.slice(0, linesShown).join("\n")}
        </span>
        <span className="history__whole">{t("history.whole")}</span>
      </summary>
      <pre className="history__text" dir="ltr">
        {lines.slice(linesShown).join("\n")}
      </pre>
    </details>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation("analyst-work");
  const { time, clock, number } = useWorkTexts();
  const openInConsole = useOpenInConsole();
  const { ranAt, outcome, channel, rowsRead, milliseconds, text, parameters } = entry;
  const facts = [
    t(`history.channels.${channel}`),
    ...(rowsRead === null ? [] : [t("history.rowsRead", { shown: number(rowsRead) })]),
    t("history.milliseconds", { shown: number(milliseconds) }),
  ];
  return (
    <li className="history__one" data-outcome={outcome}>
      <p className="history__when">
        <time dateTime={ranAt}>{clock(ranAt)}</time>
        <span className="history__outcome">{t(`history.outcomes.${outcome}`)}</span>
      </p>
      <div className="history__what">
        {text === null ? (
          <p className="work-quiet">{t("history.erased")}</p>
        ) : (
          <QueryLines text={text} />
        )}
        <p className="work-quiet">{facts.join(" · ")}</p>
      </div>
      {text !== null && (
        <Button
          variant="text"
          aria-label={t("history.openOf", { time: time(ranAt) })}
          onClick={() => openInConsole({ text, parameters })}
        >
          {t("history.open")}
        </Button>
      )}
    </li>
  );
}

/** Queries under the day on which they ran, in the zone of the account. */
export function Days<One extends Pick<HistoryEntry, "ranAt">>({
  entries,
  children,
}: {
  entries: readonly One[];
  children: (entry: One) => ReactNode;
}) {
  const language = useLanguage();
  const { timeZone } = useWorkTexts();
  const long = new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" });
  const byDay = Map.groupBy(entries, ({ ranAt }) => localTime(ranAt, timeZone).day);
  return [...byDay].map(([day, ofDay]) => (
    <section key={day} className="history__day" aria-labelledby={`day-${day}`}>
      <h2 id={`day-${day}`}>{long.format(Date.parse(day))}</h2>
      <ol className="history__list">{ofDay.map((entry) => children(entry))}</ol>
    </section>
  ));
}

type Selection = (typeof selections)[number];
type SelectionProps = { selection: Selection; onChoose: (selection: string) => void };

function SelectionField({ selection, onChoose }: SelectionProps) {
  const { t } = useTranslation("analyst-work");
  return (
    <div className="work-filters history__only">
      <Field id="history-only" label={t("history.only")}>
        {(control) => (
          <Select {...control} value={selection} onChange={({ target }) => onChoose(target.value)}>
            {selections.map((one) => (
              <option key={one} value={one}>
                {t(`history.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

/** `/console/analyst/history`: what the account asked. */
export function HistoryPage() {
  const { t } = useTranslation("analyst-work");
  const [search, setSearch] = useSearchParams();
  const selection = selections.find((one) => one === search.get("only")) ?? "all";
  const history = useInfiniteQuery(historyQuery);
  const { texts, describe } = useViewTexts(t("loading"));
  const openInConsole = useOpenInConsole();
  const all = history.data?.pages.flatMap(({ queries }) => queries) ?? [];
  const entries = all.filter(
    ({ outcome }) => selection === "all" || (outcome === "shown") === (selection === "shown"),
  );
  const choose = (only: string): void =>
    setSearch(only === "all" ? {} : { only }, { replace: true, preventScrollReset: true });
  const more = history.hasNextPage && (
    <Button disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
      {t(history.isFetchingNextPage ? "history.moreLoading" : "history.more")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("history.title")} lead={t("history.lead")} />
      {all.length > 0 && <SelectionField selection={selection} onChoose={choose} />}
      <DataView
        query={history}
        texts={texts}
        skeleton={<Skeleton shape="row" count={6} />}
        isEmpty={() => entries.length === 0}
        empty={{
          title: t("history.empty"),
          body: t("history.emptyBody"),
          action: (
            <Button variant="solid" onClick={() => openInConsole({})}>
              {t("queries.new")}
            </Button>
          ),
        }}
        filter={
          all.length > 0
            ? {
                title: t("history.noMatch"),
                body: history.hasNextPage ? t("history.noMatchBody") : undefined,
                onClear: () => choose("all"),
              }
            : undefined
        }
        describe={describe}
      >
        {() => (
          <Days entries={entries}>{(entry) => <Entry key={entry.queryId} entry={entry} />}</Days>
        )}
      </DataView>
      {all.length > 0 && (
        <p className="history__more">
          {more || <span className="work-quiet">{t("history.end")}</span>}
        </p>
      )}
    </>
  );
}
