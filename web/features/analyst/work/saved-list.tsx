import type { SavedKind } from "@pro-talent/schemas/analysts/saved-work";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../../account-query.ts";
import { isolated } from "../../isolated.ts";
import { useViewTexts } from "../../view-texts.ts";
import { LayoutDrawing } from "./signs.tsx";
import { useOpenInConsole, useWorkActs } from "./work-acts.ts";
import { savedListQuery, savedWorkQuery, type Summary } from "./work-queries.ts";
import { pathOf, useWorkTexts } from "./work-texts.ts";

import "./work.css";

const NewDashboard = lazy(async () => ({
  default: (await import("./work-dialogs.tsx")).NewDashboard,
}));

const selections = ["all", "own", "shared", "archived"] as const;
type Selection = (typeof selections)[number];

const isOf = (work: Summary, selection: Selection): boolean => {
  if (selection === "archived") return work.archivedAt !== null;
  if (work.archivedAt !== null) return false;
  return selection === "all" || work.isOwn === (selection === "own");
};

/** What the address asks for. */
function useAsked() {
  const [search, setSearch] = useSearchParams();
  const text = search.get("q") ?? "";
  const selection = selections.find((one) => one === search.get("which")) ?? "all";
  const set = (values: Readonly<Record<string, string>>): void => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(values))
      if (value === "") next.delete(name);
      else next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  return { text, selection, set };
}

type Asked = ReturnType<typeof useAsked>;

function Filters({ asked, shown, all }: { asked: Asked; shown: number; all: number }) {
  const { t } = useTranslation("analyst-work");
  const id = useId();
  return (
    <search className="work-filters">
      <Field id={`${id}-text`} label={t("list.search")}>
        {(control) => (
          <input
            {...control}
            type="search"
            dir="auto"
            value={asked.text}
            onChange={({ target }) => asked.set({ q: target.value })}
          />
        )}
      </Field>
      <Field id={`${id}-which`} label={t("list.which")}>
        {(control) => (
          <Select
            {...control}
            value={asked.selection}
            onChange={({ target }) =>
              asked.set({ which: target.value === "all" ? "" : target.value })
            }
          >
            {selections.map((selection) => (
              <option key={selection} value={selection}>
                {t(`list.${selection}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <output className="work-quiet">{t("list.count", { count: shown, all })}</output>
    </search>
  );
}

function Stamp({ workId }: { workId: string }) {
  const work = useQuery(savedWorkQuery(workId));
  const content = work.data?.saved.content;
  return (
    <span className="work-entry__stamp">
      {content?.kind === "dashboard" && <LayoutDrawing tiles={content.tiles} />}
    </span>
  );
}

/** Drawings of so many dashboards are fetched. */
const stampsMax = 12;

type EntryProps = { work: Summary; hasStamp: boolean; mayChange: boolean };

function Entry({ work, hasStamp, mayChange }: EntryProps) {
  const { t } = useTranslation("analyst-work");
  const { time, sharing } = useWorkTexts();
  const { archive } = useWorkActs();
  const { workId, kind, title, isOwn, isHandedOver, archivedAt, version, changedAt } = work;
  const act = archivedAt === null ? "action" : "restore";
  return (
    <li className="work-entry" data-archived={archivedAt !== null}>
      {kind === "dashboard" && hasStamp && <Stamp workId={workId} />}
      <div className="work-entry__what">
        <Link className="work-entry__title" to={pathOf(work)}>
          <bdi>{title}</bdi>
        </Link>
        <p className="work-quiet">
          {!isOwn && `${t("sharing.other")} · `}
          {sharing(work.sharedWith)}
        </p>
        {isHandedOver && <p className="work-quiet">{t("sharing.handedOver")}</p>}
      </div>
      <p className="work-entry__version">
        <span>{t("version", { version })}</span>
        <time className="work-quiet" dateTime={changedAt}>
          {time(changedAt)}
        </time>
      </p>
      {isOwn && mayChange && (
        <Button
          variant="text"
          aria-label={t(`archive.${act}Of`, { title: isolated(title) })}
          onClick={() => void archive(work, archivedAt === null)}
        >
          {t(`archive.${act}`)}
        </Button>
      )}
    </li>
  );
}

function New({ kind }: { kind: SavedKind }) {
  const { t } = useTranslation("analyst-work");
  const [asking, setAsking] = useState(false);
  const openInConsole = useOpenInConsole();
  if (kind === "query")
    return (
      <Button variant="solid" onClick={() => openInConsole({})}>
        {t("queries.new")}
      </Button>
    );
  return (
    <>
      <Button variant="solid" onClick={() => setAsking(true)}>
        {t("dashboards.new")}
      </Button>
      <Suspense>{asking && <NewDashboard onClose={() => setAsking(false)} />}</Suspense>
    </>
  );
}

/** The work of a kind that the address asks for. */
function useShown(kind: SavedKind) {
  const asked = useAsked();
  const words = useDeferredValue(asked.text.trim().toLocaleLowerCase());
  const list = useQuery(savedListQuery);
  const all = list.data?.saved.filter((work) => work.kind === kind) ?? [];
  const shown = all.filter(
    (work) => isOf(work, asked.selection) && work.title.toLocaleLowerCase().includes(words),
  );
  return { asked, list, all, shown, isArchive: asked.selection === "archived" && words === "" };
}

/** Saved queries, or dashboards: one's own and those that are shared, with search and archive. */
function SavedList({ kind }: { kind: SavedKind }) {
  const { t } = useTranslation("analyst-work");
  const { asked, list, all, shown, isArchive } = useShown(kind);
  const isAnalyst = useAccount().roles.includes("analyst");
  const { texts, describe } = useViewTexts(t("loading"));
  const name = kind === "query" ? "queries" : "dashboards";
  const add = isAnalyst && <New kind={kind} />;
  const filter = {
    title: t(isArchive ? "list.noArchive" : "list.noMatch"),
    body: isArchive ? undefined : t("list.noMatchBody"),
    onClear: () => asked.set({ q: "", which: "" }),
  };
  return (
    <>
      <PageHeader
        title={t(`${name}.title`)}
        lead={t(`${name}.lead`)}
        actions={all.length > 0 && add}
      />
      {all.length > 0 && <Filters asked={asked} shown={shown.length} all={all.length} />}
      <DataView
        query={list}
        texts={texts}
        skeleton={<Skeleton shape="row" count={5} />}
        isEmpty={() => shown.length === 0}
        empty={{
          title: t(isAnalyst ? `${name}.empty` : `${name}.emptyReader`),
          body: t(isAnalyst ? `${name}.emptyBody` : `${name}.emptyReaderBody`),
          action: add,
        }}
        filter={all.length > 0 ? filter : undefined}
        describe={describe}
      >
        {() => (
          <ul className="work-list" aria-label={t(`${name}.list`)}>
            {shown.map((work, index) => (
              <Entry
                key={work.workId}
                work={work}
                hasStamp={index < stampsMax}
                mayChange={isAnalyst}
              />
            ))}
          </ul>
        )}
      </DataView>
    </>
  );
}

export const QueriesPage = () => <SavedList kind="query" />;
export const DashboardsPage = () => <SavedList kind="dashboard" />;
