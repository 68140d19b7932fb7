import { useVirtualizer } from "@tanstack/react-virtual";
import type { ReactNode, Ref, RefObject } from "react";

type VirtualRowsProps = {
  count: number;
  /** The element that scrolls. */
  scroll: RefObject<HTMLElement | null>;
  /** Each row takes the ref, which measures it. */
  draw: (index: number, measure: Ref<HTMLTableRowElement>) => ReactNode;
};

/** A row of 3rem before it is measured. */
const estimatedRowPx = 48;

function Spacer({ blockSize }: { blockSize: number }) {
  if (blockSize <= 0) return null;
  return <tr aria-hidden="true" className="data-table__spacer" style={{ blockSize }} />;
}

/** The rows in sight, between spacers as high as the others. Loaded only for long tables. */
export function VirtualRows({ count, scroll, draw }: VirtualRowsProps) {
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => estimatedRowPx,
    overscan: 8,
  });
  const items = virtualizer.getVirtualItems();
  return (
    <>
      <Spacer blockSize={items[0]?.start ?? 0} />
      {items.map(({ index }) => draw(index, virtualizer.measureElement))}
      <Spacer blockSize={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
    </>
  );
}
