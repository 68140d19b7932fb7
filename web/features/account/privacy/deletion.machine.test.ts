import { transitionOf } from "@pro-talent/schemas/privacy/transitions";
import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { type DeletionEvent, deletionMachine, isPossible } from "./deletion.machine.ts";

const statuses = ["none", "scheduled", "claimed"] as const;
const events: readonly DeletionEvent[] = [
  { type: "ask", act: "delete" },
  { type: "ask", act: "waive" },
  { type: "keep" },
  ...statuses.map((status) => ({ type: "stands" as const, status })),
];
const pathsFrom = (status: (typeof statuses)[number]) =>
  getShortestPaths(deletionMachine, { input: { status }, events });

const event = { delete: "RequestReceived", waive: "GraceWaived" } as const;

describe.each(statuses)("a page that opens when the deletion is %s", (status) => {
  test("reaches every part, and shows a form only while the table allows its act", () => {
    const states = pathsFrom(status).map(({ state }) => state);
    expect(new Set(states.map(({ context }) => context.status))).toEqual(new Set(statuses));
    const shown = states.filter(({ value }) => value === "asking");
    expect(shown.map(({ context: { act, status: at } }) => `${act} ${at}`).toSorted()).toEqual([
      "delete none",
      "waive scheduled",
    ]);
    for (const { context } of shown) {
      const asked = context.act === undefined ? undefined : event[context.act];
      expect(asked && transitionOf("delete", context.status, asked)?.by).toBe("holder");
    }
  });
});

test("a form closes when the deletion was scheduled in another tab", () => {
  const actor = createActor(deletionMachine, { input: { status: "none" } }).start();
  actor.send({ type: "ask", act: "delete" });
  expect(actor.getSnapshot().value).toBe("asking");
  actor.send({ type: "stands", status: "scheduled" });
  expect(actor.getSnapshot().value).toBe("shown");
});

test("after the claim nothing can be asked for, and nothing cancelled", () => {
  expect(
    (["delete", "waive", "cancel"] as const).filter((act) => isPossible(act, "claimed")),
  ).toEqual([]);
  expect(isPossible("cancel", "scheduled")).toBe(true);
});
