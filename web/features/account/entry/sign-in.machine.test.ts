import { expect, test } from "vitest";
import { createActor, fromPromise } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { formData, serializeEvent } from "../../../e2e/machine-paths.ts";
import type { StepResult } from "./sign-in-calls.ts";
import { type Asked, signInMachine } from "./sign-in.machine.ts";

const password = formData({ email: "noa@example.com", password: "one horse, two ravens" });
const code = formData({ code: "492039" });
const results: StepResult[] = [
  { kind: "signed-in" },
  { kind: "factor-required", factors: { challenge: "c-1", methods: ["totp", "recovery"] } },
  { kind: "unused" },
  { kind: "refused", refused: { fault: "refused" } },
  { kind: "refused", refused: { fault: "codeWrong", field: "code" } },
  { kind: "refused", refused: { fault: "challengeEnded" } },
];
const calls = ["signIn", "code", "passkey", "secondPasskey", "autofill"];
const answers = calls.flatMap((call) => [
  ...results.map((output) => ({ type: `xstate.done.actor.${call}`, output })),
  { type: `xstate.error.actor.${call}`, error: "offline" },
]);
const paths = getShortestPaths(signInMachine, {
  serializeEvent,
  serializeState: ({ value, context: { faults, trouble, factors, method } }) =>
    JSON.stringify([value, faults, trouble, factors, method]),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answers are XState's own events, outside of the machine's type
  events: [
    { type: "submit", data: password },
    { type: "submit", data: formData({ email: "", password: "" }) },
    { type: "submit", data: code },
    { type: "edited", field: "email" },
    { type: "passkey" },
    { type: "method", method: "recovery" },
    { type: "restart" },
    ...answers,
  ] as never[],
});

test("every state of the sign-in can be reached, and no other", () => {
  expect(new Set(paths.map(({ state }) => state.value))).toEqual(
    new Set([
      "password",
      "checkingPassword",
      "waitingForPasskey",
      "factor",
      "checkingCode",
      "waitingForSecondPasskey",
      "signedIn",
    ]),
  );
});

test("only an answer of the server that says so signs in", () => {
  const last = paths
    .filter(({ state }) => state.value === "signedIn")
    .map(({ steps }) => steps.at(-1)?.event);
  expect(last.length).toBeGreaterThan(0);
  for (const event of last) expect(event).toMatchObject({ output: { kind: "signed-in" } });
});

test("the second step is reached with a challenge of the server alone, and keeps no password", () => {
  const second = paths.filter(({ state }) => state.value === "factor");
  for (const { state } of second) {
    expect(state.context.factors?.challenge).toBe("c-1");
    expect(state.context.data?.has("password") ?? false).toBe(false);
  }
});

test("a challenge that ended leads back to the password, with the reason", () => {
  const ended = paths.filter(
    ({ state }) => state.value === "password" && state.context.trouble === "challengeEnded",
  );
  expect(ended.length).toBeGreaterThan(0);
  for (const { state } of ended) expect(state.context.factors).toBeUndefined();
});

test("two presses ask the server once", () => {
  let asked = 0;
  const never = (): Promise<StepResult> => new Promise(() => undefined);
  const signIn = fromPromise<StepResult, Asked>(() => {
    asked += 1;
    return never();
  });
  const actors = { signIn, autofill: fromPromise<StepResult>(never) };
  const actor = createActor(signInMachine.provide({ actors })).start();
  actor.send({ type: "submit", data: password });
  actor.send({ type: "submit", data: password });
  expect(asked).toBe(1);
  actor.stop();
});
