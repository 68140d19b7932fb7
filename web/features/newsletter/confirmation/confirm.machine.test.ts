import { describe, expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import {
  type ConfirmResult,
  confirmResultOf,
  type ResendResult,
  resendResultOf,
} from "./confirm-call.ts";
import { type ConfirmEvent, firstConfirmView, foreseeConfirm } from "./confirm-view.ts";
import { confirmMachine } from "./confirm.machine.ts";

const press: ConfirmEvent = { type: "confirm", token: "t-1" };

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
  page.actor.send({ type: "resend" });
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

  test.each<[ConfirmResult, string]>([
    [{ kind: "confirmed", email: "noa@example.com" }, "confirmed"],
    [{ kind: "used" }, "used"],
    [{ kind: "expired" }, "expired"],
    [{ kind: "unknown" }, "unknown"],
    [{ kind: "failed" }, "failed"],
  ])("after %j it is %s", async (result, place) => {
    const { actor } = await pressed({ confirm: () => Promise.resolve(result) });
    expect(actor.getSnapshot().value).toBe(place);
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
  ])("when another mail is %s it is %s and says %s", async (kind, place, trouble) => {
    const { actor, asked } = await askedAnew(() => Promise.resolve({ kind }));
    const { value, context } = actor.getSnapshot();
    expect([value, context.resendTrouble]).toEqual([place, trouble]);
    expect(asked).toEqual(["confirm t-1", "resend t-1"]);
  });

  test("without a network can ask for another mail again", async () => {
    const { actor, asked } = await askedAnew(offline);
    expect(actor.getSnapshot().context.resendTrouble).toBe("network");
    actor.send({ type: "resend" });
    expect(actor.getSnapshot().context.resendTrouble).toBeUndefined();
    expect(asked).toHaveLength(3);
  });
});

describe("an answer about a link", () => {
  test.each([
    [200, { status: "confirmed", email: "noa@example.com" }, "confirmed"],
    [404, { code: "token_unknown" }, "unknown"],
    [422, { code: "invalid_body" }, "unknown"],
    [409, { code: "token_used" }, "used"],
    [410, { code: "token_expired" }, "expired"],
    [429, {}, "failed"],
    [503, undefined, "failed"],
  ])("%i with %j means %s", (status, body, kind) => {
    expect(confirmResultOf({ ok: status < 300, status, body }).kind).toBe(kind);
  });

  test.each([
    [200, "resent"],
    [404, "unknown"],
    [409, "used"],
    [410, "failed"],
    [429, "tooMany"],
    [503, "failed"],
  ])("%i means %s when another mail was asked for", (status, kind) => {
    expect(resendResultOf({ ok: status < 300, status, body: {} })).toEqual({ kind });
  });
});

describe("every way through the page", () => {
  const results = ["confirmed", "used", "expired", "unknown", "failed"];
  const events = [
    press,
    { type: "resend" },
    ...results.map((kind) => ({
      type: "xstate.done.actor.confirm",
      output: { kind, email: "noa@example.com" },
    })),
    { type: "xstate.error.actor.confirm", error: new TypeError("offline") },
    ...["resent", "used", "unknown", "tooMany", "failed"].map((kind) => ({
      type: "xstate.done.actor.resend",
      output: { kind },
    })),
    { type: "xstate.error.actor.resend", error: new TypeError("offline") },
  ];
  const paths = getShortestPaths(confirmMachine, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
    events: events as never[],
  });

  test("reaches every state there is", () => {
    expect(new Set(paths.map((path) => path.state.value))).toEqual(
      new Set(Object.keys(confirmMachine.states)),
    );
  });

  test("is confirmed by nothing but an answer to a press", () => {
    for (const { state, steps } of paths.filter((path) => path.state.value === "confirmed")) {
      expect(steps.some(({ event }) => event.type === "confirm")).toBe(true);
      expect(state.context.email).toBe("noa@example.com");
    }
  });

  test("shows before the machine is there what the machine then says", () => {
    const { actor } = pageWith({ confirm: () => new Promise(() => undefined) });
    actor.send(press);
    expect(foreseeConfirm(firstConfirmView, press).place).toBe(actor.getSnapshot().value);
  });
});
