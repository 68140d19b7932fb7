import { type PointerEvent, type RefObject, useRef } from "react";

import type { Place } from "./board-order.ts";
import type { ColumnHandle } from "./column.tsx";

const dragPx = 6;
/** Within so many pixels of an edge, board and column scroll. */
const edgePx = 48;
const scrollPx = 14;

type Drag = {
  board: RefObject<HTMLElement | null>;
  columns: RefObject<ReadonlyMap<string, ColumnHandle>>;
  onPick: (applicationId: string) => void;
  onOver: (place: Place) => void;
  onDrop: () => void;
  onCancel: () => void;
};

const towards = (at: number, from: number, to: number): number =>
  at < from + edgePx ? -scrollPx : at > to - edgePx ? scrollPx : 0;

/** Scrolls what lies under the pointer near an edge. */
function scrollAtEdge(board: HTMLElement, column: ColumnHandle | undefined, x: number, y: number) {
  const { left, right } = board.getBoundingClientRect();
  board.scrollLeft += towards(x, left, right);
  const scroller = column?.scroller;
  if (!scroller) return;
  const { top, bottom } = scroller.getBoundingClientRect();
  scroller.scrollTop += towards(y, top, bottom);
}

/** The card under the pointer as a picture, which follows it. */
function pictureOf(card: HTMLElement): HTMLElement {
  const picture = document.createElement("div");
  picture.className = "slip-carried";
  picture.inert = true;
  const copy = card.cloneNode(true);
  if (copy instanceof Element)
    for (const named of copy.querySelectorAll("[id]")) named.removeAttribute("id");
  picture.append(copy);
  const { width, left, top } = card.getBoundingClientRect();
  Object.assign(picture.style, { inlineSize: `${width}px`, left: `${left}px`, top: `${top}px` });
  document.body.append(picture);
  return picture;
}

/** Where the pointer is, and what is under it. */
function follow(drag: Drag, card: HTMLElement, id: string, begin: { x: number; y: number }) {
  const picture = pictureOf(card);
  let at = begin;
  let frame = 0;
  const draw = (): void => {
    picture.style.transform = `translate(${at.x - begin.x}px, ${at.y - begin.y}px)`;
    const over = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>("[data-stage]");
    const stageId = over?.dataset["stage"];
    const column = stageId === undefined ? undefined : drag.columns.current.get(stageId);
    if (drag.board.current !== null) scrollAtEdge(drag.board.current, column, at.x, at.y);
    if (stageId !== undefined && column !== undefined)
      drag.onOver({ stageId, index: column.indexAt(at.y, id) });
    frame = requestAnimationFrame(draw);
  };
  frame = requestAnimationFrame(draw);
  return {
    to: (x: number, y: number): void => {
      at = { x, y };
    },
    end: (): void => {
      cancelAnimationFrame(frame);
      picture.remove();
    },
  };
}

/** Drags a card by mouse or pen; fingers scroll, and use the menu of a card. */
export function usePointerDrag(drag: Drag) {
  const dragged = useRef(false);
  const onPointerDown = (event: PointerEvent): void => {
    const { target } = event;
    const card =
      target instanceof Element ? target.closest<HTMLElement>("[data-application]") : null;
    const id = card?.dataset["application"];
    const isMenu = target instanceof Element && target.closest(".slip__menu") !== null;
    if (event.button !== 0 || event.pointerType === "touch" || isMenu) return;
    if (card === null || id === undefined) return;
    dragged.current = false;
    const begin = { x: event.clientX, y: event.clientY };
    let following: ReturnType<typeof follow> | undefined;
    const listening = new AbortController();
    const onMove = ({ clientX, clientY }: globalThis.PointerEvent): void => {
      if (following === undefined) {
        if (Math.hypot(clientX - begin.x, clientY - begin.y) < dragPx) return;
        dragged.current = true;
        following = follow(drag, card, id, begin);
        drag.onPick(id);
      }
      following.to(clientX, clientY);
    };
    const end = (drop: boolean): void => {
      listening.abort();
      if (following === undefined) return;
      following.end();
      // The press that ends a drag follows at once, if there is one.
      setTimeout(() => {
        dragged.current = false;
      });
      if (drop) drag.onDrop();
      else drag.onCancel();
    };
    const { signal } = listening;
    window.addEventListener("pointermove", onMove, { signal });
    window.addEventListener("pointerup", () => end(true), { signal });
    window.addEventListener("pointercancel", () => end(false), { signal });
    window.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
  };
  const onClickCapture = (event: { stopPropagation: () => void; preventDefault: () => void }) => {
    // The end of a drag is no press.
    if (!dragged.current) return;
    dragged.current = false;
    event.preventDefault();
    event.stopPropagation();
  };
  const onDragStart = (event: { preventDefault: () => void }): void => event.preventDefault();
  return { onPointerDown, onClickCapture, onDragStart };
}
