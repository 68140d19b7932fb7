import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { isolated } from "../../isolated.ts";
import type { Application, Stage } from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { beforeAt, type Columns, othersIn, type Place, placeAfter, stepOf } from "./board-order.ts";
import type { CardActs, CardControl } from "./card.tsx";
import type { Focus } from "./column.tsx";

/** A card that was picked up, where it came from and where it would be put down. */
type Carried = { id: string; by: "keys" | "pointer"; from: Place; to: Place };

type Board = {
  columns: Columns;
  stages: readonly Stage[];
  onMove: (ids: readonly string[], stage: Stage, before: string | null) => void;
  onArchive: (application: Application) => void;
};

const isRtl = (): boolean => document.documentElement.dir === "rtl";
const isSame = (one: Place, other: Place): boolean =>
  one.stageId === other.stageId && one.index === other.index;

function placeOf(columns: Columns, id: string): (Place & { card: Application }) | undefined {
  for (const [stageId, cards] of columns) {
    const index = cards.findIndex(({ applicationId }) => applicationId === id);
    const card = cards[index];
    if (card !== undefined) return { stageId, index, card };
  }
  return undefined;
}

/** What a screen reader hears while a card is carried. */
function useSayings(board: { current: Board }) {
  const { t } = useTranslation("applications");
  const { stage: nameOf } = useTrackerTexts();
  const [said, setSaid] = useState("");
  const stageName = (stageId: string): string => {
    const stage = board.current.stages.find((one) => one.stageId === stageId);
    return stage === undefined ? "" : isolated(nameOf(stage));
  };
  const say = (key: "picked" | "over" | "dropped" | "kept", { id, to }: Carried): void => {
    const { columns } = board.current;
    const company = placeOf(columns, id)?.card.details.company ?? "";
    const count = othersIn(columns, to.stageId, id).length + 1;
    const about = { name: isolated(company), stage: stageName(to.stageId) };
    setSaid(t(`board.${key}`, { ...about, place: to.index + 1, all: count }));
  };
  return { said, say };
}

/** The card that has the focus, or is about to. */
function useWalk(board: { current: Board }) {
  const [focus, setFocus] = useState<Focus>();
  /** Leads from a card to another one, by the key that was pressed. @returns whether there is one */
  const walk = (key: string, id: string, control: CardControl): boolean => {
    const { columns, stages } = board.current;
    const place = placeOf(columns, id);
    const step = stepOf(key, isRtl());
    if (place === undefined || step === undefined) return false;
    const lastOf = (stageId: string): number =>
      Math.max(0, (columns.get(stageId)?.length ?? 0) - 1);
    // Stages without cards are passed over.
    const filled = stages
      .map(({ stageId }) => stageId)
      .filter((stageId) => (columns.get(stageId)?.length ?? 0) > 0);
    const next = placeAfter(place, step, filled, lastOf);
    const card = columns.get(next.stageId)?.[next.index];
    if (card !== undefined) setFocus({ applicationId: card.applicationId, control });
    return true;
  };
  return { focus, setFocus, walk };
}

/** Picks a card up, leads it over places and puts it down: until then it stays where it was. */
function useCarried(latest: { current: Board }) {
  const [carried, setCarried] = useState<Carried>();
  const now = useRef(carried);
  const { said, say } = useSayings(latest);
  const set = (next: Carried | undefined): void => {
    now.current = next;
    setCarried(next);
  };
  const pick = (id: string, by: Carried["by"]): void => {
    const from = placeOf(latest.current.columns, id);
    if (from === undefined) return;
    const place = { stageId: from.stageId, index: from.index };
    const next = { id, by, from: place, to: place };
    set(next);
    say("picked", next);
  };
  const over = (to: Place): void => {
    const { current } = now;
    if (current === undefined || isSame(current.to, to)) return;
    const next = { ...current, to };
    set(next);
    say("over", next);
  };
  const cancel = (): void => {
    const { current } = now;
    if (current === undefined) return;
    set(undefined);
    say("kept", { ...current, to: current.from });
  };
  const drop = (): void => {
    const { current } = now;
    if (current === undefined) return;
    const { id, from, to } = current;
    set(undefined);
    say(isSame(from, to) ? "kept" : "dropped", current);
    if (isSame(from, to)) return;
    const { columns, stages, onMove } = latest.current;
    const stage = stages.find(({ stageId }) => stageId === to.stageId);
    if (stage !== undefined) onMove([id], stage, beforeAt(columns, to, id));
  };
  return { carried, now, said, pick, over, cancel, drop };
}

/** Carries cards by keys and by pointer. */
export function useCarry(board: Board) {
  const latest = useRef(board);
  useLayoutEffect(() => {
    latest.current = board;
  });
  const { now, ...carrying } = useCarried(latest);
  const { pick, over, cancel, drop } = carrying;
  const { focus, setFocus, walk } = useWalk(latest);
  const onCarriedKey = (event: KeyboardEvent, { id, to }: Carried): void => {
    const { columns, stages } = latest.current;
    const step = stepOf(event.key, isRtl());
    if (event.key === "Escape") cancel();
    else if (step !== undefined) {
      const stageIds = stages.map(({ stageId }) => stageId);
      over(placeAfter(to, step, stageIds, (stageId) => othersIn(columns, stageId, id).length));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onHandle = (id: string): void => {
    if (now.current === undefined) return pick(id, "keys");
    drop();
    return setFocus({ applicationId: id, control: "handle" });
  };
  const onKeyDown = (event: KeyboardEvent, id: string): void => {
    if (now.current !== undefined) return onCarriedKey(event, now.current);
    const control = event.target instanceof Element && event.target.id.split("-")[0];
    if (control !== "title" && control !== "handle") return undefined;
    if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
    return walk(event.key, id, control) ? event.preventDefault() : undefined;
  };
  // They read what is current by themselves, so that a card is drawn anew only when it changes.
  const acts = useMemo<CardActs>(
    () => ({
      onHandle,
      onHandleLeft: cancel,
      onKeyDown,
      onMoveTo: ({ applicationId }, stage) => {
        latest.current.onMove([applicationId], stage, null);
        setFocus({ applicationId, control: "title" });
      },
      onArchive: (application) => latest.current.onArchive(application),
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- they read references
    [],
  );
  return { ...carrying, focus, acts };
}
