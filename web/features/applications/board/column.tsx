import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";

import type { Application, OpenedOf, Stage } from "../queries.ts";
import type { TrackerTexts } from "../tracker-texts.ts";
import { Card, type CardActs, type CardControl, controlId } from "./card.tsx";

/** A card before it is measured. */
const estimatedCardPx = 104;

/** What the board asks a column while a pointer carries a card over it. */
export type ColumnHandle = {
  /** How many other cards lie above this height of the window. */
  indexAt: (clientY: number, carried: string) => number;
  scroller: HTMLElement | null;
};

export type Focus = { applicationId: string; control: CardControl };

type ColumnProps = {
  stage: Stage;
  stages: readonly Stage[];
  cards: readonly Application[];
  openedOf: OpenedOf;
  now: number;
  /** The id of the carried card. */
  carried: string | undefined;
  /** Where it would be put down, if in this column: how many other cards come before. */
  target: number | undefined;
  /** Whether it is scrolled to: a pointer is where it carries to, keys are not. */
  followed: boolean;
  /** The card that takes the focus, if it is in this column. */
  focus: Focus | undefined;
  acts: CardActs;
  texts: TrackerTexts;
  ref: Ref<ColumnHandle>;
};

/** The rendered cards: those in sight, and those that must not be lost. */
function useCards({ cards, carried, focus }: ColumnProps, reachedAt: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const indexOf = (id: string | undefined): number =>
    id === undefined ? -1 : cards.findIndex(({ applicationId }) => applicationId === id);
  const kept = [indexOf(carried), indexOf(focus?.applicationId), reachedAt];
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component
  const virtualizer = useVirtualizer<HTMLElement, HTMLLIElement>({
    count: cards.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => cards[index]?.applicationId ?? index,
    estimateSize: () => estimatedCardPx,
    overscan: 2,
    rangeExtractor: (range: Range) => {
      const seen = defaultRangeExtractor(range);
      const more = kept.filter((index) => index >= 0 && !seen.includes(index));
      return [...new Set([...seen, ...more])].toSorted((one, other) => one - other);
    },
  });
  return { scroller, virtualizer, indexOf };
}

type Virtual = ReturnType<typeof useCards>["virtualizer"];

/** How far from the beginning of a list the place before its `index`th other card lies. */
function offsetOf(virtualizer: Virtual, index: number, carriedAt: number): number {
  const at = carriedAt >= 0 && index >= carriedAt ? index + 1 : index;
  return virtualizer.measurementsCache[at]?.start ?? virtualizer.getTotalSize();
}

function indexAtHeight(virtualizer: Virtual, offset: number, carriedAt: number): number {
  const item = virtualizer.getVirtualItemForOffset(offset);
  if (item === undefined || offset < 0) return 0;
  const above = item.index + (offset > (item.start + item.end) / 2 ? 1 : 0);
  return carriedAt >= 0 && carriedAt < above ? above - 1 : above;
}

/** The card that has the focus, once it is drawn. */
function useFocus(focus: Focus | undefined, virtualizer: Virtual, index: number): void {
  useLayoutEffect(() => {
    if (focus === undefined || index === -1) return;
    virtualizer.scrollToIndex(index, { align: "auto" });
    document
      .getElementById(controlId(focus.applicationId, focus.control))
      ?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps -- only when another card takes it
  }, [focus]);
}

type CardsProps = ColumnProps & {
  virtualizer: Virtual;
  reachedAt: number;
  onReach: (applicationId: string) => void;
};

/** The cards in sight, each where it stands in the whole list. */
function Cards({ cards, virtualizer, reachedAt, onReach, ...props }: CardsProps) {
  const { stages, openedOf, now, carried, acts, texts } = props;
  return virtualizer.getVirtualItems().map(({ index, start }) => {
    const application = cards[index];
    if (application === undefined) return null;
    const { applicationId } = application;
    return (
      <li
        key={applicationId}
        ref={virtualizer.measureElement}
        data-index={index}
        aria-setsize={cards.length}
        aria-posinset={index + 1}
        style={{ transform: `translateY(${start}px)` }}
      >
        <Card
          application={application}
          stages={stages}
          openedAt={openedOf(application)}
          now={now}
          reached={index === reachedAt}
          carried={carried === applicationId}
          acts={acts}
          texts={texts}
          onReach={onReach}
        />
      </li>
    );
  });
}

type HeadProps = { stage: Stage; count: number; texts: TrackerTexts };

function Head({ stage, count, texts }: HeadProps) {
  const { t } = useTranslation("applications");
  const { stage: nameOf, number } = texts;
  return (
    <div className="column__head">
      <h2 id={`stage-${stage.stageId}`} className="column__title">
        <bdi>{nameOf(stage)}</bdi>
      </h2>
      <span className="column__count">
        <span aria-hidden="true">{number(count)}</span>
        <span className="visually-hidden">{t("count", { count })}</span>
      </span>
    </div>
  );
}

/** A stage with its cards, of which those in sight are rendered. */
export const Column = memo(function Column(props: ColumnProps) {
  const { stage, cards, carried, target, followed, focus, ref } = props;
  const { t } = useTranslation("applications");
  const [reached, setReached] = useState<string>();
  const found = cards.findIndex(({ applicationId }) => applicationId === reached);
  const reachedAt = Math.max(0, found);
  const { scroller, virtualizer, indexOf } = useCards(props, reachedAt);
  const list = useRef<HTMLOListElement>(null);
  useFocus(focus, virtualizer, indexOf(focus?.applicationId));
  useImperativeHandle(ref, () => ({
    indexAt: (clientY, id) => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      return indexAtHeight(virtualizer, clientY - top, indexOf(id));
    },
    scroller: scroller.current,
  }));
  useEffect(() => {
    if (followed && target !== undefined)
      virtualizer.scrollToIndex(Math.max(0, Math.min(target, cards.length - 1)));
  }, [followed, target, virtualizer, cards.length]);
  const title = `stage-${stage.stageId}`;
  return (
    <section
      className="column"
      data-stage={stage.stageId}
      data-kind={stage.kind}
      aria-labelledby={title}
    >
      <Head stage={stage} count={cards.length} texts={props.texts} />
      <div ref={scroller} className="column__scroll" data-target={target !== undefined}>
        {cards.length === 0 && <p className="column__empty">{t("board.emptyColumn")}</p>}
        <ol
          ref={list}
          className="column__cards"
          aria-labelledby={title}
          style={{ blockSize: virtualizer.getTotalSize() }}
        >
          <Cards {...props} virtualizer={virtualizer} reachedAt={reachedAt} onReach={setReached} />
        </ol>
        {target !== undefined && (
          <div
            className="column__place"
            style={{ insetBlockStart: offsetOf(virtualizer, target, indexOf(carried)) }}
          />
        )}
      </div>
    </section>
  );
});
