import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { CallFailure } from "../../../api-client/query-answer.ts";
import { Button } from "../../../ui/button/button.tsx";
import { DataView, type FailureText } from "../../../ui/data-view/data-view.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { AppIcon } from "../../../ui/icon/app-icon.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import type { DaysAsked } from "../../days-in-query.ts";
import { isolated } from "../../isolated.ts";
import { lazyPart } from "../../lazy-part.tsx";
import { useViewTexts } from "../../view-texts.ts";
import type { useTileCarry } from "./use-tile-carry.ts";
import { type Summary, type Tile, tileQuery } from "./work-queries.ts";
import { codeOf, useRefusalText } from "./work-texts.ts";

/** How tiles are called: by a title of their own, by their question, or by the query that they show. */
export function useTileTitle(saved: readonly Summary[]): (tile: Tile) => string {
  const { t } = useTranslation("analyst-work");
  return ({ title, source }) => {
    if (title !== "") return title;
    if (source.kind === "question") return t(`questions.${source.question}`);
    const work = saved.find(({ workId }) => workId === source.queryId);
    return work?.title ?? t("tile.ofQuery");
  };
}

/** The charts are a third of the page's code. */
const TileContent = lazyPart(async () => (await import("./tile-content.tsx")).TileContent);

type LoadedProps = {
  workId: string;
  tile: Tile;
  title: string;
  days: DaysAsked;
};

const skeleton = <Skeleton shape="block" count={1} />;

/** What a tile shows; it loads and fails apart from the others. */
function Loaded({ workId, tile, title, days }: LoadedProps) {
  const { t } = useTranslation("analyst-work");
  const query = useQuery(tileQuery(workId, tile.tileId, days));
  const { texts, describe } = useViewTexts(t("tile.loading"));
  const refusal = useRefusalText();
  useEffect(() => {
    TileContent.load().catch(() => undefined);
  }, []);
  const describeTile = (cause: Error | "offline"): FailureText => {
    if (!(cause instanceof CallFailure) || cause.status === 403 || cause.status >= 500)
      return describe(cause);
    const isBusy = cause.code === "queries_running" || cause.code === "query_quota_used";
    return { title: refusal(codeOf(cause)), denied: !isBusy };
  };
  return (
    <DataView
      query={query}
      texts={texts}
      skeleton={skeleton}
      isEmpty={() => false}
      empty={{ title: t("tile.nothing") }}
      describe={describeTile}
    >
      {(answer) => (
        <Suspense fallback={skeleton}>
          <TileContent title={title} answer={answer} />
        </Suspense>
      )}
    </DataView>
  );
}

const widths = [1, 2, 3] as const;

type ToolsProps = {
  tile: Tile;
  title: string;
  handle: ReturnType<ReturnType<typeof useTileCarry>["handleOf"]>;
  onWidth: (width: Tile["width"]) => void;
  onRemove: () => void;
};

/** Moves a tile, makes it wider, and removes it. */
function Tools({ tile, title, handle, onWidth, onRemove }: ToolsProps) {
  const { t } = useTranslation("analyst-work");
  const named = { title: isolated(title) };
  return (
    <div className="tile__tools">
      <button
        type="button"
        className="tile__handle"
        aria-label={t("tile.handle", named)}
        aria-describedby="tile-keys"
        {...handle}
      >
        <AppIcon name="drag" />
      </button>
      <Select
        className="field__control"
        aria-label={t("tile.width", named)}
        value={tile.width}
        onChange={({ target }) =>
          onWidth(widths.find((width) => width === Number(target.value)) ?? tile.width)
        }
      >
        {widths.map((width) => (
          <option key={width} value={width}>
            {t(`tile.widths.${width}`)}
          </option>
        ))}
      </Select>
      <Button variant="text" aria-label={t("tile.remove", named)} onClick={onRemove}>
        <AppIcon name="close" />
      </Button>
    </div>
  );
}

type TileViewProps = LoadedProps & {
  place: number;
  /** Until then the server does not know it. */
  isSaved: boolean;
  /** Where a carried tile would be put down. */
  side: "before" | "after" | undefined;
  isCarried: boolean;
  tools: Omit<ToolsProps, "tile" | "title"> | undefined;
};

/** A tile of a dashboard: its title, its chart, and while it is arranged its tools. */
export function TileView(props: TileViewProps) {
  const { tile, title, place, isSaved, side, isCarried, tools } = props;
  const { t } = useTranslation("analyst-work");
  const heading = `tile-${tile.tileId}`;
  return (
    <li
      className="tile"
      data-width={tile.width}
      data-place={place}
      data-side={side}
      data-carried={isCarried}
    >
      <article aria-labelledby={heading}>
        <div className="tile__head">
          <h2 id={heading} className="tile__title">
            <bdi>{title}</bdi>
          </h2>
          {tools !== undefined && <Tools tile={tile} title={title} {...tools} />}
          {tools === undefined && tile.source.kind === "query" && (
            <Link
              className="tile__open"
              to={`/console/analyst/queries/${tile.source.queryId}`}
              aria-label={t("tile.openOf", { title: isolated(title) })}
            >
              {t("tile.open")}
            </Link>
          )}
        </div>
        {isSaved ? (
          <Loaded {...props} />
        ) : (
          <p className="work-quiet">{t("dashboard.afterSaving")}</p>
        )}
      </article>
    </li>
  );
}
