import { useState } from "react";
import { useTranslation } from "react-i18next";

import type { DaysAsked } from "../../days-in-query.ts";
import { isolated } from "../../isolated.ts";
import { TileView } from "./tile.tsx";
import { type CarryMoment, handleId, useTileCarry } from "./use-tile-carry.ts";
import type { Tile } from "./work-queries.ts";

type TileGridProps = {
  workId: string;
  /** Those that the server knows. */
  savedIds: ReadonlySet<string>;
  tiles: readonly Tile[];
  days: DaysAsked;
  titleOf: (tile: Tile) => string;
  /** Undefined while the tiles are only looked at. */
  onArrange: ((tiles: readonly Tile[]) => void) | undefined;
};

/** Carries, widens and removes tiles, and says so. */
function useArrangement({ tiles, titleOf, onArrange }: TileGridProps) {
  const { t } = useTranslation("analyst-work");
  const [said, setSaid] = useState("");
  const arrange = (changed: readonly Tile[]): void => onArrange?.(changed);
  const say = (moment: CarryMoment, tile: Tile, place: number): void =>
    setSaid(
      t(`tile.${moment}`, {
        title: isolated(titleOf(tile)),
        place: place + 1,
        all: tiles.length,
      }),
    );
  const carrying = useTileCarry({ tiles, onMove: arrange, onSay: say });
  const widen = (tile: Tile, width: Tile["width"]): void => {
    arrange(tiles.map((one) => (one === tile ? { ...tile, width } : one)));
    const title = isolated(titleOf(tile));
    setSaid(t("tile.widened", { title, width: t(`tile.widths.${width}`) }));
  };
  const remove = (tile: Tile, place: number): void => {
    arrange(tiles.filter((one) => one !== tile));
    setSaid(t("tile.removed", { title: isolated(titleOf(tile)) }));
    const neighbour = tiles[place + 1] ?? tiles[place - 1];
    const next = neighbour && document.getElementById(handleId(neighbour.tileId));
    (next ?? document.querySelector("main"))?.focus();
  };
  return { ...carrying, said, widen, remove };
}

/** The tiles of a dashboard in rows of three parts, and how they are arranged. */
export function TileGrid(props: TileGridProps) {
  const { workId, savedIds, tiles, days, titleOf, onArrange } = props;
  const { t } = useTranslation("analyst-work");
  const { carried, sideOf, handleOf, said, widen, remove } = useArrangement(props);
  return (
    <>
      <p id="tile-keys" className="visually-hidden">
        {t("dashboard.arranging")}
      </p>
      <output className="visually-hidden">{said}</output>
      <ol
        className="tiles"
        aria-label={t("dashboard.tiles")}
        data-arranging={onArrange !== undefined}
        data-carrying={carried !== undefined}
      >
        {tiles.map((tile, place) => (
          <TileView
            key={tile.tileId}
            workId={workId}
            isSaved={savedIds.has(tile.tileId)}
            tile={tile}
            title={titleOf(tile)}
            days={days}
            place={place}
            side={sideOf(place)}
            isCarried={carried === tile.tileId}
            tools={
              onArrange && {
                handle: handleOf(tile.tileId),
                onWidth: (width) => widen(tile, width),
                onRemove: () => remove(tile, place),
              }
            }
          />
        ))}
      </ol>
    </>
  );
}
