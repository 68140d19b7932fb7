import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router-dom";

import { Button, buttonClass } from "../../../ui/button/button.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { EmptyState } from "../../../ui/view-state/view-state.tsx";
import { useAccount } from "../../account-query.ts";
import { todayIn } from "../../days-in-query.ts";
import { isolated } from "../../isolated.ts";
import { RangeFields } from "./range-fields.tsx";
import { daysOfRange, isSameRange, rangeIn } from "./range.ts";
import { Conflict, useNextVersion } from "./save-query.tsx";
import { TileGrid } from "./tile-grid.tsx";
import { useTileTitle } from "./tile.tsx";
import { Versions } from "./versions.tsx";
import { useMayChange } from "./work-acts.ts";
import { WorkFrame } from "./work-frame.tsx";
import {
  type Content,
  type DashboardContent,
  isSame,
  savedListQuery,
  type SavedWork,
  type Summary,
  type Tile,
} from "./work-queries.ts";

import "./query.css";
import "./dashboard.css";

const AddTile = lazy(async () => ({ default: (await import("./add-tile.tsx")).AddTile }));

/** Tiles that were arranged and are not saved yet, and the version from which that began. */
type Draft = { tiles: readonly Tile[]; version: number };

/** What is arranged, and how it is saved. */
function useArranging(work: SavedWork, content: DashboardContent) {
  const [draft, setDraft] = useState<Draft>();
  const [isArranging, setIsArranging] = useState(false);
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
    begin: (): void => setIsArranging(true),
    end: (): void => {
      setIsArranging(false);
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
    <div className="analysis__bar" data-arranging={isArranging}>
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
type EditProps = BodyProps & { arranging: Arranging; saved: readonly Summary[] };

/** Adds tiles, arranges and saves them; a newer version is shown beside what was arranged. */
function Edit({ arranging, saved }: EditProps) {
  const { t } = useTranslation("analyst-work");
  const titleOf = useTileTitle(saved);
  const [isAdding, setIsAdding] = useState(false);
  const [said, setSaid] = useState("");
  const { tiles, next, version } = arranging;
  const add = async (tile: Tile): Promise<void> => {
    const added = [...tiles, tile];
    // It is kept while it is decided which version counts.
    arranging.arrange(added);
    const outcome = await arranging.save({ tiles: added });
    if (outcome === "refused") return arranging.arrange(tiles);
    setIsAdding(false);
    return setSaid(t("add.done", { title: isolated(titleOf(tile)) }));
  };
  const queries = saved.filter(({ kind, archivedAt }) => kind === "query" && archivedAt === null);
  const newer = next.newer?.content.kind === "dashboard" ? next.newer : undefined;
  return (
    <>
      <output className="visually-hidden">{said}</output>
      {newer !== undefined && (
        <Conflict
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
      {tiles.length > 0 && <Bar arranging={arranging} onAdd={() => setIsAdding(true)} />}
      <Notice kind="error">{!isAdding && next.fault}</Notice>
      {tiles.length === 0 && (
        <EmptyState
          title={t("dashboard.empty")}
          body={t("dashboard.emptyBody")}
          action={
            <Button variant="solid" onClick={() => setIsAdding(true)}>
              {t("dashboard.add")}
            </Button>
          }
        />
      )}
      <Suspense>
        {isAdding && (
          <AddTile
            queries={queries}
            busy={next.busy}
            fault={next.fault}
            onAdd={(tile) => void add(tile)}
            onClose={() => setIsAdding(false)}
          />
        )}
      </Suspense>
    </>
  );
}

/** Tiles for one range of days, arranged by their owner. */
function Body({ work, content }: BodyProps) {
  const { t } = useTranslation("analyst-work");
  const [search] = useSearchParams();
  const saved = useQuery(savedListQuery).data?.saved ?? [];
  const titleOf = useTileTitle(saved);
  const arranging = useArranging(work, content);
  const { tiles } = arranging;
  const mayChange = useMayChange(work);
  const range = rangeIn(search, content.range);
  const chosen = range.kind === "last" || range.from !== undefined ? range : undefined;
  const isOther = chosen !== undefined && !isSameRange(chosen, content.range);
  const restore = (earlier: Content): void => {
    if (earlier.kind === "dashboard") void arranging.save(earlier, work.version);
  };
  return (
    <div className="analysis">
      <RangeFields
        range={range}
        saved={content.range}
        onKeep={mayChange && isOther ? () => void arranging.save({ range: chosen }) : undefined}
      />
      {mayChange && <Edit work={work} content={content} arranging={arranging} saved={saved} />}
      {!mayChange && tiles.length === 0 && (
        <EmptyState title={t("dashboard.empty")} body={t("dashboard.emptyReader")} />
      )}
      <TileGrid
        workId={work.workId}
        savedIds={new Set(content.tiles.map(({ tileId }) => tileId))}
        tiles={tiles}
        days={daysOfRange(range, todayIn("UTC"))}
        titleOf={titleOf}
        onArrange={arranging.isArranging ? arranging.arrange : undefined}
      />
      <Versions work={work} onRestore={mayChange ? restore : undefined} />
    </div>
  );
}

function Actions() {
  const { t } = useTranslation("analyst-work");
  const { workId = "" } = useParams();
  const isAnalyst = useAccount().roles.includes("analyst");
  return (
    <>
      {isAnalyst && (
        <Link className={buttonClass("solid")} to={`/console/analyst/deliveries?of=${workId}`}>
          {t("dashboard.plan")}
        </Link>
      )}
      <Button onClick={() => window.print()}>{t("dashboard.print")}</Button>
    </>
  );
}

/** `/console/analyst/dashboards/:workId`. */
export const DashboardPage = () => (
  <WorkFrame kind="dashboard" actions={<Actions />}>
    {(work) => work.content.kind === "dashboard" && <Body work={work} content={work.content} />}
  </WorkFrame>
);
