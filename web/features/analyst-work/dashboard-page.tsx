import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router-dom";

import { Button, buttonClass } from "../../ui/button/button.tsx";
import { DateRange, type DateRangeValue } from "../../ui/date-range/date-range.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { EmptyState } from "../../ui/view-state/view-state.tsx";
import { useAccount } from "../account-query.ts";
import { isolated } from "../isolated.ts";
import {
  type AskedRange,
  daysOfRange,
  isSameRange,
  rangeIn,
  usualDays,
  withRange,
} from "./range.ts";
import { Conflict, useNextVersion } from "./save-query.tsx";
import { TileGrid } from "./tile-grid.tsx";
import { useTileTitle } from "./tile.tsx";
import { Versions } from "./versions.tsx";
import { WorkFrame } from "./work-frame.tsx";
import {
  type DashboardContent,
  isSame,
  savedListQuery,
  savedWorkQuery,
  type SavedWork,
  type Tile,
} from "./work-queries.ts";
import { useWorkTexts } from "./work-texts.ts";

import "./dashboard.css";

const AddTile = lazy(async () => ({ default: (await import("./add-tile.tsx")).AddTile }));

type RangeProps = {
  range: AskedRange;
  saved: DashboardContent["range"];
  onKeep: (() => void) | undefined;
};

const valueOf = (range: AskedRange): DateRangeValue => {
  if (range.kind === "last") return { preset: String(range.days) };
  if (range.from === undefined) return { days: undefined };
  return { days: { from: range.from, to: range.to } };
};

/** The days of all tiles, in the address. */
function RangeFields({ range, saved, onKeep }: RangeProps) {
  const { t } = useTranslation("analyst-work");
  const { day } = useWorkTexts();
  const [search, setSearch] = useSearchParams();
  const { from, to } = daysOfRange(range, Date.now());
  const own = saved.kind === "last" ? [saved.days] : [];
  const offered = [...new Set([...usualDays, ...own])].toSorted((one, other) => one - other);
  const put = (next: AskedRange): void =>
    setSearch(withRange(search, next), { replace: true, preventScrollReset: true });
  return (
    <div className="dashboard__range">
      <DateRange
        texts={{
          legend: t("dashboard.range"),
          custom: t("dashboard.custom"),
          calendar: t("dashboard.calendar"),
        }}
        presets={offered.map((days) => ({
          id: String(days),
          label: t("dashboard.last", { count: days }),
        }))}
        value={valueOf(range)}
        lastDay={daysOfRange({ kind: "last", days: 1 }, Date.now()).to}
        onChange={(value) => {
          if ("preset" in value) put({ kind: "last", days: Number(value.preset) });
          else if (value.days === undefined) put({ kind: "days", from: undefined, to: undefined });
          else put({ kind: "days", ...value.days });
        }}
      />
      <p className="work-quiet">
        {t("dashboard.until", { from: day(from), to: day(to) })}{" "}
        {onKeep !== undefined && (
          <Button variant="text" onClick={onKeep}>
            {t("dashboard.keepRange")}
          </Button>
        )}
      </p>
    </div>
  );
}

/** Tiles that were arranged and are not saved yet, and the version from which that began. */
type Draft = { tiles: readonly Tile[]; version: number };

/** What is arranged, and how it is saved. */
function useArranging(work: SavedWork, content: DashboardContent) {
  const [draft, setDraft] = useState<Draft>();
  const [isArranging, setArranging] = useState(false);
  const version = draft?.version ?? work.version;
  const tiles = draft?.tiles ?? content.tiles;
  const next = useNextVersion({ workId: work.workId, version }, () => setDraft(undefined));
  return {
    tiles,
    version,
    isArranging,
    isChanged: draft !== undefined && !isSame(draft.tiles, content.tiles),
    next,
    arrange: (changed: readonly Tile[]): void => setDraft({ tiles: changed, version }),
    begin: (): void => setArranging(true),
    end: (): void => {
      setArranging(false);
      setDraft(undefined);
    },
    /** @param after the version that it follows */
    save: (changed: Partial<DashboardContent>, after = version) =>
      next.save({ ...content, tiles: [...tiles], ...changed }, after),
  };
}

type Arranging = ReturnType<typeof useArranging>;

function Bar({ arranging, onAdd }: { arranging: Arranging; onAdd: () => void }) {
  const { t } = useTranslation("analyst-work");
  const { isArranging, isChanged, next, save, begin, end, tiles } = arranging;
  const isFull = tiles.length >= analystLimits.tilesMax;
  return (
    <div className="dashboard__bar" data-arranging={isArranging}>
      <Button disabled={isFull} onClick={onAdd}>
        {t("dashboard.add")}
      </Button>
      {!isArranging && tiles.length > 0 && (
        <Button onClick={begin}>{t("dashboard.arrange")}</Button>
      )}
      {isArranging && (
        <>
          <Button variant="solid" disabled={!isChanged || next.busy} onClick={() => void save({})}>
            {t("dashboard.save")}
          </Button>
          <Button onClick={end}>{t(isChanged ? "dashboard.discard" : "dashboard.done")}</Button>
          <span className="work-quiet">
            {isChanged ? t("dashboard.unsaved") : t("dashboard.arranging")}
          </span>
        </>
      )}
    </div>
  );
}

type BodyProps = { work: SavedWork; content: DashboardContent };

/** Tiles for one range of days, arranged by their owner. */
function Body({ work, content }: BodyProps) {
  const { t } = useTranslation("analyst-work");
  const isAnalyst = useAccount().roles.includes("analyst");
  const [search] = useSearchParams();
  const list = useQuery(savedListQuery);
  const saved = list.data?.saved ?? [];
  const titleOf = useTileTitle(saved);
  const arranging = useArranging(work, content);
  const [isAdding, setAdding] = useState(false);
  const [said, setSaid] = useState("");
  const mayChange = isAnalyst && work.archivedAt === null && (work.isOwn || work.isHandedOver);
  const range = rangeIn(search, content.range);
  const { tiles, next, version } = arranging;
  const isKept = isSameRange(range, content.range) || (range.kind === "days" && !range.from);
  const keep = (): void => {
    if (range.kind === "days" && range.from === undefined) return;
    void arranging.save({ range });
  };
  const add = async (tile: Tile): Promise<void> => {
    const added = [...tiles, tile];
    // It is kept while it is decided which version counts.
    arranging.arrange(added);
    const outcome = await arranging.save({ tiles: added });
    if (outcome === "refused") return arranging.arrange(tiles);
    setAdding(false);
    return setSaid(t("add.done", { title: isolated(titleOf(tile)) }));
  };
  const queries = saved.filter(({ kind, archivedAt }) => kind === "query" && archivedAt === null);
  const newer = next.newer?.content.kind === "dashboard" ? next.newer : undefined;
  return (
    <div className="dashboard">
      <RangeFields
        range={range}
        saved={content.range}
        onKeep={mayChange && !isKept ? keep : undefined}
      />
      <output className="visually-hidden">{said}</output>
      {newer !== undefined && (
        <Conflict
          mine={version}
          newer={newer}
          lead={t("conflict.dashboard", { mine: version })}
          busy={next.busy}
          onMine={() => void arranging.save({}, newer.version)}
          onTheirs={() => {
            next.settle();
            arranging.end();
          }}
        />
      )}
      {mayChange && tiles.length > 0 && <Bar arranging={arranging} onAdd={() => setAdding(true)} />}
      {next.fault !== undefined && !isAdding && (
        <p className="field__error" role="alert">
          {next.fault}
        </p>
      )}
      {tiles.length === 0 ? (
        <EmptyState
          title={t("dashboard.empty")}
          body={t(mayChange ? "dashboard.emptyBody" : "dashboard.emptyReader")}
          action={
            mayChange && (
              <Button variant="solid" onClick={() => setAdding(true)}>
                {t("dashboard.add")}
              </Button>
            )
          }
        />
      ) : (
        <TileGrid
          workId={work.workId}
          savedIds={new Set(content.tiles.map(({ tileId }) => tileId))}
          tiles={tiles}
          days={daysOfRange(range, Date.now())}
          titleOf={titleOf}
          onArrange={arranging.isArranging ? arranging.arrange : undefined}
        />
      )}
      <Suspense>
        {isAdding && (
          <AddTile
            queries={queries}
            busy={next.busy}
            fault={next.fault}
            onAdd={(tile) => void add(tile)}
            onClose={() => setAdding(false)}
          />
        )}
      </Suspense>
      <Versions
        work={work}
        onRestore={
          mayChange
            ? (earlier) =>
                earlier.kind === "dashboard" && void arranging.save(earlier, work.version)
            : undefined
        }
      />
    </div>
  );
}

/** `/console/analyst/dashboards/:workId`. */
export function DashboardPage() {
  const { t } = useTranslation("analyst-work");
  const { workId = "" } = useParams();
  const query = useQuery(savedWorkQuery(workId));
  const isAnalyst = useAccount().roles.includes("analyst");
  const { time } = useWorkTexts();
  return (
    <WorkFrame
      key={workId}
      query={query}
      kind="dashboard"
      breadcrumb={<Link to="/console/analyst/dashboards">{t("dashboards.title")}</Link>}
      lead={({ version, changedAt }) => t("query.saved", { version, time: time(changedAt) })}
      skeleton={<Skeleton shape="block" count={3} />}
      actions={() => (
        <>
          {isAnalyst && (
            <Link className={buttonClass("solid")} to={`/console/analyst/deliveries?of=${workId}`}>
              {t("dashboard.plan")}
            </Link>
          )}
          <Button onClick={() => window.print()}>{t("dashboard.print")}</Button>
        </>
      )}
    >
      {(work) => work.content.kind === "dashboard" && <Body work={work} content={work.content} />}
    </WorkFrame>
  );
}
