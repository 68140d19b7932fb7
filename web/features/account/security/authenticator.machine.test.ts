import { expect, test } from "vitest";
import { getShortestPaths } from "xstate/graph";

import { formData, serializeEvent } from "../../../e2e/machine-paths.ts";
import { authenticatorMachine } from "./authenticator.machine.ts";

const codes = ["k7qd-0f3m", "k7qd-1f3m"];
const done = (call: string, value: unknown) => ({
  type: `xstate.done.actor.${call}`,
  output: { kind: "done", value },
});
const refusedBy = (call: string, fault: string, field?: string) => ({
  type: `xstate.done.actor.${call}`,
  output: { kind: "refused", refused: { fault, field } },
});
const calls = ["begin", "confirm", "newCodes", "remove"];
const paths = getShortestPaths(authenticatorMachine, {
  serializeEvent,
  serializeState: ({ value, context: { faults, trouble, codes: shown, secret } }) =>
    JSON.stringify([value, faults, trouble, shown, secret]),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answers are XState's own events, outside of the machine's type
  events: [
    { type: "begin" },
    { type: "newCodes" },
    { type: "remove" },
    { type: "cancel" },
    { type: "kept" },
    { type: "submit", data: formData({ code: "492039" }) },
    { type: "submit", data: formData({ code: "" }) },
    { type: "edited", field: "code" },
    done("begin", { secret: "JBSW", uri: "otpauth://totp/x" }),
    done("confirm", codes),
    done("newCodes", codes),
    done("remove", null),
    refusedBy("confirm", "codeWrong", "code"),
    refusedBy("confirm", "challengeEnded"),
    ...calls.flatMap((call) => [
      refusedBy(call, "notConfirmed"),
      { type: `xstate.error.actor.${call}`, error: "offline" },
    ]),
  ] as never[],
});

test("every state of the authenticator can be reached, and no other", () => {
  expect(new Set(paths.map(({ state }) => state.value))).toEqual(
    new Set([
      "idle",
      "beginning",
      "scanning",
      "confirming",
      "showingCodes",
      "makingCodes",
      "removing",
    ]),
  );
});

test("the key is forgotten once it is confirmed or given up, and the codes once they are kept", () => {
  for (const { state } of paths) {
    const { secret, codes: shown } = state.context;
    const scans = state.value === "scanning" || state.value === "confirming";
    expect(secret === undefined).toBe(!scans);
    expect(shown).toEqual(state.value === "showingCodes" ? codes : []);
  }
});

test("what was refused is said where it was asked", () => {
  const said = paths.filter(({ state }) => state.context.trouble === "notConfirmed");
  expect(new Set(said.map(({ state }) => state.value))).toEqual(new Set(["idle", "scanning"]));
  const wrong = paths.filter(({ state }) => state.context.faults["code"] === "codeWrong");
  expect(new Set(wrong.map(({ state }) => state.value))).toEqual(new Set(["scanning"]));
});
