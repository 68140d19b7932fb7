import type { PipelineEvent } from "@pro-talent/schemas/applications/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { expect, it } from "vitest";

import { ignoredFixtures } from "../../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../../kernel/testing/given.ts";
import { pipelineDecider, type PlainStage, stageNow } from "./decider.ts";
import { pipelineEvents } from "./pipelines.ts";

const given = specification(pipelineDecider);
const stage = (stageId: string, kind: PlainStage["kind"]): PlainStage => ({ stageId, kind });
const [saved, applied, phone, onsite] = [
  stage("saved", "saved"),
  stage("applied", "applied"),
  stage("phone", "interviewing"),
  stage("onsite", "interviewing"),
];
const usual = [saved, applied];
const change = (
  stages: readonly PlainStage[],
  moved: Record<string, string> = {},
  inUse: readonly string[] = [],
) => ({ type: "ChangePipeline", stages, moved, usual, inUse: new Set(inUse) }) as const;
const changed = (
  stages: readonly PlainStage[],
  moved: Record<string, string> = {},
): PipelineEvent => ({ type: "PipelineChanged", data: { stages: [...stages], moved } });

it("the usual pipeline is recorded when it is changed", () => {
  given([])
    .when(change([saved, phone, applied]))
    .then([changed([saved, phone, applied])]);
});

it("a stage with applications is left out only when they go elsewhere", () => {
  const stages = [saved, phone];
  given([])
    .when(change(stages, {}, ["applied"]))
    .thenRefuses("stage_in_use");
  given([])
    .when(change(stages, { applied: "phone" }, ["applied"]))
    .then([changed(stages, { applied: "phone" })]);
  given([])
    .when(change(stages, { applied: "nowhere" }, ["applied"]))
    .thenRefuses("stage_not_found");
  given([])
    .when(change(stages))
    .then([changed(stages, { applied: "saved" })]);
});

it("applications of a stage follow what took its place, also when that is left out later", () => {
  const moved = { phone: "onsite", onsite: "applied" };
  expect(stageNow("phone", usual, moved)).toBe("applied");
  expect(stageNow("applied", usual, moved)).toBe("applied");
  expect(stageNow("unknown", usual, moved)).toBe("saved");
});

it("a stage that was left out and comes back is found again, whatever leads to what", () => {
  const events = [
    changed([saved, phone, onsite], { applied: "phone" }),
    changed([saved, onsite], { phone: "onsite" }),
    changed([saved, phone], { onsite: "phone" }),
  ];
  const { stages = [], moved } = events.reduce(
    (state, event) => pipelineDecider.evolve(state, event, instantFromMs(0)),
    pipelineDecider.initialState,
  );
  for (const { stageId } of [applied, phone, onsite])
    expect(stageNow(stageId, stages, moved)).toBe("phone");
});

it("an erased pipeline is not changed any more", () => {
  given([]).when({ type: "ErasePipeline" }).thenNothingChanges();
  const erased: PipelineEvent = { type: "PipelineErased", data: {} };
  given([changed(usual)])
    .when({ type: "ErasePipeline" })
    .then([erased]);
  given([changed(usual), erased])
    .when(change([saved, phone]))
    .thenNothingChanges();
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, pipelineEvents, pipelineDecider)).toEqual([]);
});
