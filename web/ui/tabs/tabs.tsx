import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";

import "./tabs.css";

export type TabItem = { id: string; title: string; content: ReactNode };

type TabsProps = {
  /** Names what the tabs choose between. */
  label: string;
  items: readonly TabItem[];
  /** The id of the shown tab. */
  selected: string;
  onSelect: (id: string) => void;
};

/** The place of the tab that a key leads to; undefined for any other key. */
function placeFor(event: KeyboardEvent<HTMLElement>, at: number, count: number) {
  const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
  const [next, previous] = [(at + 1) % count, (at + count - 1) % count];
  const places: Readonly<Record<string, number>> = {
    ArrowRight: isRtl ? previous : next,
    ArrowLeft: isRtl ? next : previous,
    Home: 0,
    End: count - 1,
  };
  return places[event.key];
}

/** On a phone the tabs are wider than the page: the selected one is scrolled to, the page is not. */
function showSelected(list: HTMLElement | null): void {
  const tab = list?.querySelector("[aria-selected=true]")?.getBoundingClientRect();
  if (list === null || tab === undefined) return;
  const { left, right } = list.getBoundingClientRect();
  list.scrollLeft += Math.min(0, tab.left - left) + Math.max(0, tab.right - right);
}

/**
 * Views of one subject. Arrow keys move in the direction of the page and show the tab at once. Not of React
 * Aria, whose collections are thirty kilobytes on a page that shows nothing else of it.
 */
export function Tabs({ label, items, selected, onSelect }: TabsProps) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => showSelected(list.current), [selected]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = items.findIndex(({ id }) => id === selected);
    const place = placeFor(event, at, items.length);
    const item = place === undefined ? undefined : items[place];
    if (item === undefined || place === undefined) return;
    event.preventDefault();
    onSelect(item.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[place]?.focus();
  };
  return (
    <div className="tabs">
      <div ref={list} className="tabs__list" role="tablist" aria-label={label}>
        {items.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            id={`${base}-${id}`}
            className="tabs__tab"
            role="tab"
            aria-selected={id === selected}
            aria-controls={id === selected ? `${base}-panel` : undefined}
            tabIndex={id === selected ? 0 : -1}
            onKeyDown={onKeyDown}
            onClick={() => onSelect(id)}
          >
            {title}
          </button>
        ))}
      </div>
      {items
        .filter(({ id }) => id === selected)
        .map(({ id, content }) => (
          <div key={id} id={`${base}-panel`} role="tabpanel" aria-labelledby={`${base}-${id}`}>
            {content}
          </div>
        ))}
    </div>
  );
}
