import { useState } from "react";

import type { Application, Stage } from "./queries.ts";

/** A stage that was taken out, and where its applications go. */
type Removed = { stage: Stage; count: number; to: string };

/** The pipeline as it is being changed. */
export function usePipeline(initial: readonly Stage[], applications: readonly Application[]) {
  const [stages, setStages] = useState(initial);
  const [removed, setRemoved] = useState<readonly Removed[]>([]);
  const countOf = (id: string): number =>
    applications.filter(({ stageId }) => stageId === id).length;
  const put = (changed: Stage): void =>
    setStages(stages.map((one) => (one.stageId === changed.stageId ? changed : one)));
  const moveTo = (index: number, to: number): void => {
    const next = [...stages];
    next.splice(to, 0, ...next.splice(index, 1));
    setStages(next);
  };
  const remove = (stage: Stage, index: number): void => {
    const left = stages.filter(({ stageId }) => stageId !== stage.stageId);
    const to = (stages[index - 1] ?? left[0])?.stageId ?? "";
    const count = countOf(stage.stageId);
    setStages(left);
    // Where the applications of another one were to go, they cannot go any more.
    const kept = removed.map((one) => (one.to === stage.stageId ? { ...one, to } : one));
    setRemoved(count > 0 ? [...kept, { stage, count, to }] : kept);
  };
  const add = (): void =>
    setStages([...stages, { stageId: crypto.randomUUID(), kind: "interviewing", name: "" }]);
  const send = (id: string, to: string): void =>
    setRemoved(removed.map((one) => (one.stage.stageId === id ? { ...one, to } : one)));
  const moved = Object.fromEntries(removed.map(({ stage, to }) => [stage.stageId, to]));
  return { stages, removed, moved, put, moveTo, remove, add, send };
}
export type Pipeline = ReturnType<typeof usePipeline>;
