import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import type { ReactNode, Ref } from "react";

type VirtualRowsProps = {
  count: number;
  /** The element that scrolls. */
  scroll: HTMLElement;
  /** Each row takes the ref, which measures it. */
  draw: (index: number, measure: Ref<HTMLTableRowElement>) => ReactNode;
};

/** A row of 3rem before it is measured. */
const estimatedRowPx = 48;

function Spacer({ blockSize }: { blockSize: number }) {
  if (blockSize <= 0) return null;
  return <tr aria-hidden="true" className="data-table__spacer" style={{ blockSize }} />;
}

/** The rows in sight, and the row with focus, which would be lost with it. */
function renderedIndexes(range: Range, scroll: HTMLElement): number[] {
  const indexes = defaultRangeExtractor(range);
  const row = document.activeElement?.closest<HTMLElement>("tr[data-index]");
  if (!row || !scroll.contains(row)) return indexes;
  const focused = Number(row.dataset["index"]);
  if (focused >= range.count || indexes.includes(focused)) return indexes;
  return [...indexes, focused].toSorted((one, other) => one - other);
}

/** The rendered rows, between spacers as high as the others. Loaded only for long tables. */
export function VirtualRows({ count, scroll, draw }: VirtualRowsProps) {
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count,
    getScrollElement: () => scroll,
    estimateSize: () => estimatedRowPx,
    overscan: 8,
    rangeExtractor: (range) => renderedIndexes(range, scroll),
  });
  const items = virtualizer.getVirtualItems();
  return (
    <>
      {items.flatMap(({ index, start }, position) => [
        <Spacer key={`above-${index}`} blockSize={start - (items[position - 1]?.end ?? 0)} />,
        draw(index, virtualizer.measureElement),
      ])}
      <Spacer blockSize={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
    </>
  );
}
