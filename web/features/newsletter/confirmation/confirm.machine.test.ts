import { describe, expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { formData, serializeEvent } from "../../../e2e/machine-paths.ts";
import type { FormEvent } from "../../form-machine.ts";
import type { ConfirmResult, ResendResult } from "../mail-token-calls.ts";
import { confirmMachine } from "./confirm.machine.ts";

const press: FormEvent = { type: "submit", data: formData({ token: "t-1" }) };

type Platform = {
  confirm: () => Promise<ConfirmResult>;
  resend?: () => Promise<ResendResult>;
};

/** A page, the answers of its platform, and the calls made. */
function pageWith({ confirm, resend = () => new Promise(() => undefined) }: Platform) {
  const asked: string[] = [];
  const actors = {
    confirm: fromPromise<ConfirmResult, string>(({ input }) => {
      asked.push(`confirm ${input}`);
      return confirm();
    }),
    resend: fromPromise<ResendResult, string>(({ input }) => {
      asked.push(`resend ${input}`);
      return resend();
    }),
  };
  return { actor: createActor(confirmMachine.provide({ actors })).start(), asked };
}

async function pressed(platform: Platform) {
  const page = pageWith(platform);
  page.actor.send(press);
  await waitFor(page.actor, (snapshot) => snapshot.value !== "confirming");
  return page;
}

async function askedAnew(resend: () => Promise<ResendResult>) {
  const page = await pressed({ confirm: () => Promise.resolve({ kind: "expired" }), resend });
  page.actor.send(press);
  await waitFor(page.actor, (snapshot) => snapshot.value !== "resending");
  return page;
}

const offline = (): Promise<never> => Promise.reject(new TypeError("offline"));

describe("the page of a mailed link", () => {
  test("asks nothing of the platform before the button is pressed", () => {
    expect(pageWith({ confirm: offline }).asked).toEqual([]);
  });

  test("confirms once, however often the button is pressed", () => {
    const { actor, asked } = pageWith({ confirm: () => new Promise(() => undefined) });
    actor.send(press);
    actor.send(press);
    expect(asked).toEqual(["confirm t-1"]);
  });

  test.each<[ConfirmResult, string, boolean]>([
    [{ kind: "confirmed", email: "noa@example.com" }, "confirmed", false],
    [{ kind: "used" }, "used", false],
    [{ kind: "expired" }, "expired", false],
    [{ kind: "superseded" }, "expired", true],
    [{ kind: "unknown" }, "unknown", false],
    [{ kind: "failed" }, "failed", false],
  ])("after %j it is %s", async (result, state, superseded) => {
    const { actor } = await pressed({ confirm: () => Promise.resolve(result) });
    const { value, context } = actor.getSnapshot();
    expect([value, context.superseded]).toEqual([state, superseded]);
  });

  test("knows the address that was confirmed", async () => {
    const { actor } = await pressed({
      confirm: () => Promise.resolve({ kind: "confirmed", email: "noa@example.com" }),
    });
    expect(actor.getSnapshot().context.email).toBe("noa@example.com");
  });

  test.each<[string, () => Promise<ConfirmResult>]>([
    ["no network", offline],
    ["a failure", () => Promise.resolve({ kind: "failed" })],
  ])("after %s the same button tries again", async (_, confirm) => {
    const { actor, asked } = await pressed({ confirm });
    actor.send(press);
    expect(asked).toEqual(["confirm t-1", "confirm t-1"]);
  });
});

describe("an expired link", () => {
  test.each<[ResendResult["kind"], string, string | undefined]>([
    ["resent", "resent", undefined],
    ["used", "used", undefined],
    ["unknown", "unknown", undefined],
    ["tooMany", "expired", "tooMany"],
    ["failed", "expired", "failed"],
  ])("when another mail is %s it is %s and says %s", async (kind, state, trouble) => {
    const { actor, asked } = await askedAnew(() => Promise.resolve({ kind }));
    const { value, context } = actor.getSnapshot();
    expect([value, context.resendTrouble]).toEqual([state, trouble]);
    expect(asked).toEqual(["confirm t-1", "resend t-1"]);
  });

  test("without a network can ask for another mail again", async () => {
    const { actor, asked } = await askedAnew(offline);
    expect(actor.getSnapshot().context.resendTrouble).toBe("network");
    actor.send(press);
    expect(actor.getSnapshot().context.resendTrouble).toBeUndefined();
    expect(asked).toHaveLength(3);
  });
});

describe("every way through the page", () => {
  const done = (call: string, kinds: readonly string[]) =>
    kinds.map((kind) => ({
      type: `xstate.done.actor.${call}`,
      output: { kind, email: "noa@example.com" },
    }));
  const events = [
    press,
    ...done("confirm", ["confirmed", "used", "superseded", "expired", "unknown", "failed"]),
    { type: "xstate.error.actor.confirm", error: new TypeError("offline") },
    ...done("resend", ["resent", "used", "unknown", "tooMany", "failed"]),
    { type: "xstate.error.actor.resend", error: new TypeError("offline") },
  ];
  const paths = getShortestPaths(confirmMachine, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
    events: events as never[],
    serializeEvent,
  });

  test("reaches every state there is", () => {
    expect(new Set(paths.map((path) => path.state.value))).toEqual(
      new Set(Object.keys(confirmMachine.states)),
    );
  });

  test("is confirmed by nothing but an answer to a press", () => {
    for (const { state, steps } of paths.filter((path) => path.state.value === "confirmed")) {
      expect(steps.some(({ event }) => event.type === "submit")).toBe(true);
      expect(state.context.email).toBe("noa@example.com");
    }
  });
});
