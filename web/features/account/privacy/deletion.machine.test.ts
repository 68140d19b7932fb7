import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import {
  type DeletionAct,
  type DeletionEvent,
  deletionMachine,
  possibleActs,
} from "./deletion.machine.ts";

const none: readonly DeletionAct[] = possibleActs(undefined);
const scheduled: readonly DeletionAct[] = ["waive", "cancel"];
const held: readonly DeletionAct[] = ["cancel"];
const claimed: readonly DeletionAct[] = [];
const stands = [none, scheduled, held, claimed];

const events: readonly DeletionEvent[] = [
  { type: "ask", act: "delete" },
  { type: "ask", act: "waive" },
  { type: "keep" },
  ...stands.map((possible) => ({ type: "stands" as const, possible })),
];

describe.each(stands.map((possible) => ({ possible })))(
  "a page that opens when $possible are possible",
  ({ possible }) => {
    test("reaches every part, and shows a form only while its act is possible", () => {
      const paths = getShortestPaths(deletionMachine, { input: { possible }, events });
      const shown = paths.map(({ state }) => state).filter(({ value }) => value === "asking");
      expect(
        shown.map(({ context }) => `${context.act} of ${context.possible.join(",")}`).toSorted(),
      ).toEqual(["delete of delete", "waive of waive,cancel"]);
    });
  },
);

test("a form closes when the deletion was scheduled in another tab", () => {
  const actor = createActor(deletionMachine, { input: { possible: none } }).start();
  actor.send({ type: "ask", act: "delete" });
  expect(actor.getSnapshot().value).toBe("asking");
  actor.send({ type: "stands", possible: scheduled });
  expect(actor.getSnapshot().value).toBe("shown");
});
