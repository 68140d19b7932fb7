import { expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { formData, serializeEvent } from "../../../e2e/machine-paths.ts";
import type { FormEvent } from "../../form-machine.ts";
import type { NewLinkResult } from "../mail-token-calls.ts";
import { newLinkMachine } from "./new-link.machine.ts";

const submit = (email: string): FormEvent => ({ type: "submit", data: formData({ email }) });
const edited: FormEvent = { type: "edited", field: "email" };
const offline = (): Promise<never> => Promise.reject(new TypeError("offline"));

async function after(answer: () => Promise<NewLinkResult>, event: FormEvent) {
  const asked: string[] = [];
  const request = fromPromise<NewLinkResult, string>(({ input }) => {
    asked.push(input);
    return answer();
  });
  const actor = createActor(newLinkMachine.provide({ actors: { request } })).start();
  actor.send(event);
  const { value, context } = await waitFor(actor, (snapshot) => snapshot.value !== "sending");
  return { actor, asked, shown: [value, context.trouble] };
}

test.each<[NewLinkResult["kind"], string, string | undefined]>([
  ["sent", "sent", undefined],
  ["emailInvalid", "idle", "emailInvalid"],
  ["tooMany", "idle", "tooMany"],
  ["failed", "idle", "failed"],
])("answered with %s it is %s and says %s", async (kind, state, trouble) => {
  const page = await after(() => Promise.resolve({ kind }), submit(" noa@example.com "));
  expect(page.shown).toEqual([state, trouble]);
  expect(page.asked).toEqual(["noa@example.com"]);
});

test("without a network says so, until something changes", async () => {
  const { actor, shown } = await after(offline, submit("noa@example.com"));
  expect(shown).toEqual(["idle", "network"]);
  actor.send(edited);
  expect(actor.getSnapshot().context.trouble).toBeUndefined();
});

test.each(["", "noa", "noa@example"])('"%s" is not sent', async (email) => {
  const { asked, shown } = await after(offline, submit(email));
  expect([asked, shown]).toEqual([[], ["idle", "emailInvalid"]]);
});

test("every way reaches a state of the machine, and only addresses are sent", () => {
  const events = [
    submit("noa@example.com"),
    submit("noa"),
    edited,
    { type: "xstate.done.actor.request", output: { kind: "sent" } },
    { type: "xstate.done.actor.request", output: { kind: "tooMany" } },
    { type: "xstate.error.actor.request", error: "offline" },
  ];
  const paths = getShortestPaths(newLinkMachine, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
    events: events as never[],
    serializeEvent,
  });
  const states = paths.map(({ state }) => state);
  expect(new Set(states.map(({ value }) => value))).toEqual(new Set(["idle", "sending", "sent"]));
  const sending = states.filter(({ value }) => value === "sending");
  expect(new Set(sending.map(({ context }) => context.email))).toEqual(
    new Set(["noa@example.com"]),
  );
});
