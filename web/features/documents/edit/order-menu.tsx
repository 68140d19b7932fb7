import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { AppIcon } from "../../../ui/icon/app-icon.tsx";
import type { MenuEntry } from "../../../ui/menu/menu-popover.tsx";
import { Menu } from "../../../ui/menu/menu.tsx";
import { isolated } from "../../isolated.ts";
import { useEditing } from "./editing.ts";
import { add, type Edit, move, remove } from "./edits.ts";

const dragPx = 6;

/** The index at which something at this height would stand among its siblings. */
function indexAt(list: Element, height: number): number {
  const middles = [...list.children].map((child) => {
    const { top, bottom } = child.getBoundingClientRect();
    return (top + bottom) / 2;
  });
  return middles.filter((middle) => middle < height).length;
}

type Dragged = { list: string; id: string; index: number; name: string };

/** Moves one of a list as the pointer moves over the others. The list is the parent of the nearest `li`. */
function useDrag({ list, id, index, name }: Dragged) {
  const { t } = useTranslation("cv");
  const { edit, announce } = useEditing();
  const at = useRef(index);
  useEffect(() => {
    at.current = index;
  });
  const dragged = useRef(false);
  const onPointerDown = (event: PointerEvent): void => {
    const item = event.currentTarget.closest("li");
    const parent = item?.parentElement;
    if (event.button !== 0 || item === null || parent === null || parent === undefined) return;
    dragged.current = false;
    const begin = event.clientY;
    const onMove = ({ clientY }: globalThis.PointerEvent): void => {
      if (!dragged.current && Math.abs(clientY - begin) < dragPx) return;
      dragged.current = true;
      item.dataset["dragged"] = "true";
      const over = indexAt(parent, clientY);
      // Its own middle is counted when it stands above the pointer.
      const to = over > at.current ? over - 1 : over;
      if (to === at.current) return;
      at.current = to;
      edit(move(list, id, to));
    };
    const onEnd = (): void => {
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", onEnd);
      window.removeEventListener("pointercancel", onEnd);
      delete item.dataset["dragged"];
      if (dragged.current)
        announce(t("order.moved", { name: isolated(name), place: at.current + 1 }));
    };
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", onEnd);
    window.addEventListener("pointercancel", onEnd);
  };
  const onClickCapture = (event: MouseEvent): void => {
    // The end of a drag is no press.
    if (!dragged.current) return;
    dragged.current = false;
    event.stopPropagation();
  };
  return { onClickCapture, onPointerDown };
}

type OrderMenuProps = {
  /** The path of the list, and what it is about: an id of it, its place and how many there are. */
  list: string;
  id: string;
  index: number;
  count: number;
  /** Names it in announcements, such as its title. */
  name: string;
  /** What else can be done. */
  more?: readonly (MenuEntry & { run: () => void })[];
  /** What is offered for undoing a removal. */
  onRemove: () => void;
};

/** One button for what is done with a part of a list: dragged by a pointer, it moves; pressed, it opens a menu. */
export function OrderMenu({ list, id, index, count, name, more = [], onRemove }: OrderMenuProps) {
  const { t } = useTranslation("cv");
  const { edit, announce } = useEditing();
  const drag = useDrag({ list, id, index, name });
  const moveTo = (to: number): void => {
    edit(move(list, id, to));
    announce(t("order.moved", { name: isolated(name), place: to + 1 }));
  };
  const acts: Readonly<Record<string, () => void>> = {
    up: () => moveTo(index - 1),
    down: () => moveTo(index + 1),
    remove: onRemove,
    ...Object.fromEntries(more.map((entry) => [entry.id, entry.run])),
  };
  return (
    <span className="cv-order" {...drag}>
      <Menu
        variant="text"
        label={t("order.menuOf", { name: isolated(name) })}
        groups={[
          {
            id: "order",
            entries: [
              { id: "up", text: t("order.up"), disabled: index === 0 },
              { id: "down", text: t("order.down"), disabled: index === count - 1 },
            ],
          },
          ...(more.length === 0 ? [] : [{ id: "more", entries: more }]),
          { id: "remove", entries: [{ id: "remove", text: t("order.remove"), danger: true }] },
        ]}
        onAction={(act) => acts[act]?.()}
      >
        <AppIcon name="drag" />
      </Menu>
    </span>
  );
}

/** Removes something of a list, and puts it back where it was. */
export const removal = (
  list: string,
  item: Parameters<typeof add>[1],
  previous: string | undefined,
): { remove: Edit; restore: Edit } => ({
  remove: remove(`${list}/${item.id}`),
  restore: (document) => {
    const back = add(list, item, previous)(document);
    return previous === undefined ? move(list, item.id, 0)(back) : back;
  },
});
