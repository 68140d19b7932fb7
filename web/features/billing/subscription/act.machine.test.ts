import { describe, expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { serializeEvent } from "../../../e2e/machine-paths.ts";
import type { ShownAction } from "../billing-calls.ts";
import type { ActResult } from "./act-calls.ts";
import { type ActEvent, actMachine } from "./act.machine.ts";

const resume = (version: number): ShownAction => ({
  hash: String(version),
  key: `key-${version}`,
  choice: null,
  quote: { act: "resume", next: null },
});
const input = { action: resume(1) };
const open: ActEvent = { type: "open", action: resume(1) };
const confirm: ActEvent = { type: "confirm" };
const refused: ActResult = { kind: "refused", trouble: "notConfirmed", key: "key-9" };

/** A server that answers acts in turn, and what it received. */
function server(answers: (ActResult | TypeError)[], again?: ShownAction) {
  const received: ShownAction[] = [];
  const actors = {
    apply: fromPromise<ActResult, ShownAction>(({ input: action }) => {
      received.push(action);
      const answer = answers.shift() ?? new TypeError("offline");
      return answer instanceof TypeError ? Promise.reject(answer) : Promise.resolve(answer);
    }),
    findAgain: fromPromise<ShownAction | undefined, ShownAction>(() => Promise.resolve(again)),
  };
  return { received, actor: createActor(actMachine.provide({ actors }), { input }).start() };
}
const settled = (actor: ReturnType<typeof server>["actor"]) =>
  waitFor(actor, ({ value }) => value !== "applying" && value !== "finding");

describe("an act on the subscription", () => {
  test("is applied with the hash that was shown, however often the button is pressed", async () => {
    const { actor, received } = server([{ kind: "applied" }]);
    for (const event of [open, confirm, confirm, { type: "close" } as const, confirm])
      actor.send(event);
    expect((await settled(actor)).value).toBe("applied");
    expect(received.map(({ hash }) => hash)).toEqual(["1"]);
  });

  test("that would now do something else is shown again, and then applied as shown", async () => {
    const { actor, received } = server([{ kind: "changed" }, { kind: "applied" }], resume(2));
    actor.send(open);
    actor.send(confirm);
    const shown = await settled(actor);
    expect([shown.value, shown.context.before?.hash]).toEqual(["confirming", "1"]);
    actor.send(confirm);
    expect((await settled(actor)).value).toBe("applied");
    expect(received.map(({ hash }) => hash)).toEqual(["1", "2"]);
  });

  test("whose answer was lost is repeated under the same key", async () => {
    const { actor, received } = server([new TypeError("offline"), { kind: "applied" }]);
    actor.send(open);
    actor.send(confirm);
    expect((await settled(actor)).context.trouble).toBe("network");
    actor.send(confirm);
    await settled(actor);
    expect(received.map(({ key }) => key)).toEqual(["key-1", "key-1"]);
  });

  test("whose answer was lost and that is done already has been applied", async () => {
    const { actor } = server([new TypeError("offline"), { kind: "obsolete" }]);
    actor.send(open);
    actor.send(confirm);
    await settled(actor);
    actor.send(confirm);
    expect((await settled(actor)).value).toBe("applied");
  });

  test("that was refused is tried again under another key", async () => {
    const { actor, received } = server([refused, { kind: "applied" }]);
    actor.send(open);
    actor.send(confirm);
    expect((await settled(actor)).context.trouble).toBe("notConfirmed");
    actor.send(confirm);
    await settled(actor);
    expect(received.map(({ key }) => key)).toEqual(["key-1", "key-9"]);
  });

  test("that another tab has done is not done again", async () => {
    const { actor } = server([{ kind: "obsolete" }]);
    actor.send(open);
    actor.send(confirm);
    expect((await settled(actor)).value).toBe("obsolete");
  });
});

describe("every way through an act", () => {
  const kinds = ["applied", "pending", "changed", "obsolete"].map((kind) => ({ kind }));
  const results = [...kinds, refused, { kind: "leave", url: "/pay" }];
  const events = [
    open,
    confirm,
    { type: "close" },
    ...results.map((output) => ({ type: "xstate.done.actor.apply", output })),
    { type: "xstate.error.actor.apply", error: new TypeError("offline") },
    ...[resume(2), undefined].map((output) => ({ type: "xstate.done.actor.findAgain", output })),
    { type: "xstate.error.actor.findAgain", error: new TypeError("offline") },
  ];
  const paths = getShortestPaths(actMachine, {
    input,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answers are XState's own events, outside of the machine's type
    events: events as never[],
    serializeEvent,
  });

  test("reaches every state there is", () => {
    expect(new Set(paths.map(({ state }) => state.value))).toEqual(
      new Set(Object.keys(actMachine.states)),
    );
  });

  test("applies only after a confirmation of what is shown at that moment", () => {
    const begun = paths.flatMap(({ steps }) =>
      steps.flatMap(({ state, event }, index) =>
        state.value === "applying" ? [{ state, event, shown: steps[index - 1]?.state }] : [],
      ),
    );
    expect(begun.length).toBeGreaterThan(0);
    for (const { state, event, shown } of begun) {
      expect([event.type, shown?.value]).toEqual(["confirm", "confirming"]);
      expect(state.context.action).toEqual(shown?.context.action);
    }
  });
});
