import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

/** What of a dashboard's tile is arranged. */
type Arranged = { tileId: string };

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

/** A tile that was picked up, where it came from and where it would be put down. */
type Carried = { tileId: string; by: "keys" | "pointer"; from: number; to: number };

/** What happens to a carried tile, for what a screen reader hears. */
export type CarryMoment = "picked" | "over" | "dropped" | "kept";

type Carrying<Tile> = {
  tiles: readonly Tile[];
  onMove: (tiles: readonly Tile[]) => void;
  onSay: (moment: CarryMoment, tile: Tile, place: number) => void;
};

const isRtl = (): boolean => document.documentElement.dir === "rtl";

/** The place of the tile that lies under the pointer; undefined between tiles. */
function placeUnder(x: number, y: number): number | undefined {
  const tile = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-place]");
  const place = Number(tile?.dataset["place"] ?? Number.NaN);
  return Number.isNaN(place) ? undefined : place;
}

/** Follows the pointer from a press until it is let go, or until Escape. */
function followPointer(acts: { over: (place: number) => void; end: (drop: boolean) => void }) {
  const listening = new AbortController();
  const { signal } = listening;
  const end = (drop: boolean): void => {
    listening.abort();
    acts.end(drop);
  };
  const onMove = ({ clientX, clientY }: globalThis.PointerEvent): void => {
    const place = placeUnder(clientX, clientY);
    if (place !== undefined) acts.over(place);
  };
  window.addEventListener("pointermove", onMove, { signal });
  window.addEventListener("pointerup", () => end(true), { signal });
  window.addEventListener("pointercancel", () => end(false), { signal });
  window.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
  return () => listening.abort();
}

/** The picked up tile: until it is put down, it stays where it was. */
function useCarried<Tile extends Arranged>(latest: RefObject<Carrying<Tile>>) {
  const [carried, setCarried] = useState<Carried>();
  const now = useRef<Carried>(undefined);
  const set = (next: Carried | undefined): void => {
    now.current = next;
    setCarried(next);
  };
  const say = (moment: CarryMoment, { tileId }: Carried, place: number): void => {
    const tile = latest.current.tiles.find((one) => one.tileId === tileId);
    if (tile !== undefined) latest.current.onSay(moment, tile, place);
  };
  const pick = (tileId: string, by: Carried["by"]): void => {
    const from = latest.current.tiles.findIndex((one) => one.tileId === tileId);
    if (from === -1) return;
    const next = { tileId, by, from, to: from };
    set(next);
    say("picked", next, from);
  };
  const over = (to: number): void => {
    const { current } = now;
    if (current === undefined || current.to === to) return;
    set({ ...current, to });
    say("over", current, to);
  };
  const put = (drop: boolean): void => {
    const { current } = now;
    if (current === undefined) return;
    const { tileId, from, to } = current;
    const isMoved = drop && from !== to;
    set(undefined);
    say(isMoved ? "dropped" : "kept", current, isMoved ? to : from);
    const { tiles, onMove } = latest.current;
    if (isMoved) onMove(movedTo(tiles, tileId, to));
  };
  return { carried, now, pick, over, put };
}

/** The handle of a tile. */
export const handleId = (tileId: string): string => `tile-handle-${tileId}`;

/** Carries tiles by keys and by pointer: both begin at the handle of a tile. */
export function useTileCarry<Tile extends Arranged>(carrying: Carrying<Tile>) {
  const latest = useRef(carrying);
  useLayoutEffect(() => {
    latest.current = carrying;
  });
  const { carried, now, pick, over, put } = useCarried(latest);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const onClick = ({ detail }: { detail: number }, tileId: string): void => {
    // A press by pointer has carried the tile already.
    if (detail > 0) return;
    if (now.current === undefined) pick(tileId, "keys");
    else put(true);
    // Moved in the document, the handle loses the focus.
    requestAnimationFrame(() => document.getElementById(handleId(tileId))?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { current } = now;
    if (current?.by !== "keys") return;
    const { length } = latest.current.tiles;
    const place = placeAfterKey(event.key, current.to, length, isRtl());
    if (event.key === "Escape") put(false);
    else if (place !== undefined) over(place);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerDown = (event: PointerEvent, tileId: string): void => {
    if (event.button !== 0 || now.current !== undefined) return;
    event.preventDefault();
    pick(tileId, "pointer");
    stop.current = followPointer({ over, end: put });
  };
  const onBlur = (): void => {
    if (now.current?.by === "keys") put(false);
  };
  const handleOf = (tileId: string) => ({
    id: handleId(tileId),
    "aria-pressed": carried?.tileId === tileId,
    onClick: (event: { detail: number }) => onClick(event, tileId),
    onPointerDown: (event: PointerEvent) => onPointerDown(event, tileId),
    onKeyDown,
    onBlur,
  });
  /** On which side of the tile at a place the carried one would be put down. */
  const sideOf = (place: number): "before" | "after" | undefined => {
    if (carried === undefined || carried.to !== place || carried.from === place) return undefined;
    return carried.to < carried.from ? "before" : "after";
  };
  return { carried: carried?.tileId, sideOf, handleOf };
}
