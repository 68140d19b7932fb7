import type { Stage } from "@pro-talent/schemas/applications/application";
import type { PipelineEvent } from "@pro-talent/schemas/applications/events";

import { type Decider, refuse } from "../../../kernel/types.ts";

/** A stage without its name, which is sealed. */
export type PlainStage = Pick<Stage, "stageId" | "kind">;

export type PipelineCommand =
  | {
      readonly type: "ChangePipeline";
      readonly stages: readonly PlainStage[];
      /** Where applications of stages that are left out go. */
      readonly moved: Readonly<Record<string, string>>;
      /** The pipeline until it is changed for the first time. */
      readonly usual: readonly PlainStage[];
      /** Stages with applications. */
      readonly inUse: ReadonlySet<string>;
    }
  | { readonly type: "ErasePipeline" };

export type PipelineState = {
  /** Undefined: the usual ones. */
  readonly stages: readonly PlainStage[] | undefined;
  /** Stages that were left out, with what took their place. */
  readonly moved: Readonly<Record<string, string>>;
  /** Of all stages that there ever were. */
  readonly known: readonly PlainStage[];
  readonly erased: boolean;
};

export type PipelineRefusalCode = "stage_in_use" | "stage_not_found";

/** The stages of one account. Applications stay where they are: what took a stage's place is found when they are read. */
export const pipelineDecider: Decider<
  PipelineState,
  PipelineCommand,
  PipelineEvent,
  PipelineRefusalCode
> = {
  initialState: { stages: undefined, moved: {}, known: [], erased: false },
  decide: (command, state) => {
    if (state.erased) return [];
    if (command.type === "ErasePipeline")
      return state.stages === undefined ? [] : [{ type: "PipelineErased", data: {} }];
    const { stages, moved, usual, inUse } = command;
    const [first] = stages;
    const ids = new Set(stages.map(({ stageId }) => stageId));
    const left = (state.stages ?? usual).filter(({ stageId }) => !ids.has(stageId));
    if (
      first === undefined ||
      left.some(({ stageId }) => !ids.has(moved[stageId] ?? first.stageId))
    )
      return refuse("stage_not_found");
    if (left.some(({ stageId }) => inUse.has(stageId) && moved[stageId] === undefined))
      return refuse("stage_in_use");
    const places: Record<string, string> = {};
    for (const { stageId } of left) places[stageId] = moved[stageId] ?? first.stageId;
    const data = { stages: [...stages], moved: places };
    return [{ type: "PipelineChanged", data }];
  },
  evolve: (state, event) => {
    if (event.type === "PipelineErased")
      return { stages: undefined, moved: {}, known: [], erased: true };
    const { stages, moved } = event.data;
    const known = new Map([...state.known, ...stages].map((stage) => [stage.stageId, stage]));
    return {
      ...state,
      stages,
      moved: { ...state.moved, ...moved },
      known: [...known.values()],
    };
  },
};

/** The stage in which applications of a stage are now. */
export function stageNow(
  stageId: string,
  stages: readonly PlainStage[],
  moved: Readonly<Record<string, string>>,
): string {
  const ids = new Set(stages.map((stage) => stage.stageId));
  // Each step leads to a stage that was left out later, so that there is an end.
  let now: string | undefined = stageId;
  while (now !== undefined && !ids.has(now)) now = moved[now];
  return now ?? stages[0]?.stageId ?? stageId;
}
