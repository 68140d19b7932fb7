/** What of a dashboard's tile is arranged. */
export type Arranged = { tileId: string };

/** A list with one of its members at another place. */
export function movedTo<Tile extends Arranged>(
  tiles: readonly Tile[],
  tileId: string,
  to: number,
): readonly Tile[] {
  const tile = tiles.find((one) => one.tileId === tileId);
  if (tile === undefined) return tiles;
  return tiles.filter((one) => one !== tile).toSpliced(to, 0, tile);
}

/**
 * Where a key leads from a place among so many; undefined for other keys. Tiles follow each other as
 * words do, so the arrow that leads on depends on the direction of the page.
 */
export function placeAfterKey(
  key: string,
  at: number,
  count: number,
  rtl: boolean,
): number | undefined {
  const last = count - 1;
  const onward = rtl ? "ArrowLeft" : "ArrowRight";
  const backward = rtl ? "ArrowRight" : "ArrowLeft";
  switch (key) {
    case onward:
    case "ArrowDown":
      return Math.min(at + 1, last);
    case backward:
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
