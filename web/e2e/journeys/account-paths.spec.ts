import { checkoutDocuments } from "@pro-talent/schemas/billing/consent-texts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SnapshotFrom } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { signInMachine } from "../../features/account/entry/sign-in.machine.ts";
import type { ShownAction } from "../../features/billing/billing-calls.ts";
import { checkoutMachine } from "../../features/billing/checkout/checkout.machine.ts";
import { actMachine } from "../../features/billing/subscription/act.machine.ts";
import { AccountAnswers } from "../account-answers.ts";
import {
  accountAnswerOf,
  cancellationShows,
  checkoutShows,
  doInCancellation,
  doInCheckout,
  doInSignIn,
  signInShows,
  subscriptionOf,
} from "../account-driver.ts";
import { type Language, type Stack, startPages, type Visitor } from "../fixtures.ts";
import { followHalf, followWay, type Place } from "../follow-ways.ts";
import { ForcedAnswers } from "../forced-answers.ts";
import { formData, serializeEvent, type Way, waysOf } from "../machine-paths.ts";

/** Sign-in, checkout and cancellation as their machines allow it; a passkey is another journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

/** With a token, or with none at the beginning of each document; passkeys are not offered. */
async function arrive(language: Language, token: "kept" | "none"): Promise<Visitor> {
  const kept =
    token === "kept"
      ? "localStorage.setItem('token', 'bearer-1')"
      : "localStorage.removeItem('token')";
  const before = `delete globalThis.PublicKeyCredential; ${kept};`;
  const visitor = await stack.visit({ language, before });
  await new AccountAnswers().takeOver(visitor.page.context());
  return visitor;
}

const errorOf = (call: string) => ({ type: `xstate.error.actor.${call}`, error: "offline" });
const answersOf = (call: string, outputs: readonly unknown[]) => [
  ...outputs.map((output) => ({ type: `xstate.done.actor.${call}`, output })),
  errorOf(call),
];

const given = formData({ email: "noa@example.com", password: "one horse, two ravens" });
const refused = (fault: string, field?: string) => ({ kind: "refused", refused: { fault, field } });
const signInWays = waysOf(
  getShortestPaths(signInMachine, {
    serializeEvent,
    serializeState: ({ value, context: { faults, trouble, method } }) =>
      JSON.stringify([value, faults, trouble, method]),
    events: ({ value }) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answers are XState's own events, outside of the machine's type
      [
        ...(value === "factor"
          ? [
              { type: "submit", data: formData({ code: "492039" }) },
              { type: "submit", data: formData({ code: "" }) },
              { type: "method", method: "recovery" },
              { type: "restart" },
            ]
          : [
              { type: "submit", data: given },
              { type: "submit", data: formData({ email: "", password: "" }) },
              { type: "edited", field: "email" },
            ]),
        ...answersOf("signIn", [
          { kind: "signed-in" },
          { kind: "factor-required", factors: { challenge: "c-1", methods: ["totp", "recovery"] } },
          refused("refused"),
        ]),
        ...answersOf("code", [
          { kind: "signed-in" },
          refused("codeWrong", "code"),
          refused("challengeEnded"),
        ]),
      ] as never[],
  }),
);

const premium = { plan: "premium", cycle: "monthly" } as const;
const offer = (hash: string) => ({ kind: "offer", offer: { hash, key: "k", quote: {} } });
const checkoutWays = waysOf(
  getShortestPaths(checkoutMachine, {
    input: { choice: premium },
    serializeEvent,
    stopWhen: ({ status }) => status === "done",
    serializeState: ({
      value,
      context: { choice, offer: shown, before, missing, trouble, obstacle },
    }) =>
      JSON.stringify([
        value,
        value === "quoting" && shown !== undefined,
        before !== undefined,
        missing.length > 0,
        trouble,
        obstacle,
        value === "quoting" && choice.cycle,
      ]),
    events: ({ value }) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answers are XState's own events, outside of the machine's type
      [
        { type: "submit", accepted: checkoutDocuments, language: "en" },
        { type: "submit", accepted: ["terms"], language: "en" },
        { type: "choose", choice: { plan: "premium", cycle: "annual" } },
        ...(value === "unquoted" ? [{ type: "refresh" }] : []),
        ...answersOf("quote", [
          offer("1"),
          offer("2"),
          { kind: "failed" },
          { kind: "obstacle", obstacle: "closed" },
        ]),
        ...answersOf("order", [
          { kind: "leave", url: "/checkout/return?checkout=c-1" },
          { kind: "refused", trouble: "unavailable", key: "key-9" },
          { kind: "accepted" },
          { kind: "changed" },
          { kind: "obstacle", obstacle: "subscribed" },
        ]),
      ] as never[],
  }),
);

/** Only its hash counts here; the pages of the browser have their own. */
const action = (hash: string): ShownAction => ({
  hash,
  key: "k",
  choice: null,
  quote: { act: "resume", next: null },
});
const cancelWays = waysOf(
  getShortestPaths(actMachine, {
    input: { action: action("1") },
    serializeEvent,
    stopWhen: ({ status }) => status === "done",
    serializeState: ({ value, context: { before, trouble } }) =>
      JSON.stringify([value, before !== undefined, trouble]),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answers are XState's own events, outside of the machine's type
    events: [
      { type: "open", action: action("1") },
      { type: "confirm" },
      ...answersOf("apply", [
        { kind: "applied" },
        { kind: "changed" },
        { kind: "obsolete" },
        { kind: "refused", trouble: "failed", key: "key-9" },
      ]),
      ...answersOf("findAgain", [action("2"), undefined]),
    ] as never[],
  }),
);

const signInPlace: Place<SnapshotFrom<typeof signInMachine>> = {
  open: async ({ page }) => {
    await page.goto("/login");
    await page.locator("main h1").waitFor();
  },
  calls: ["/api/account/sign-in", "/api/account/sign-in/code"],
  answerOf: accountAnswerOf,
  act: doInSignIn,
  shows: signInShows,
  asks: ({ value }) => value === "checkingPassword" || value === "checkingCode",
};

const checkoutPlace: Place<SnapshotFrom<typeof checkoutMachine>> = {
  open: async ({ page }) => {
    await page.goto("/checkout?plan=premium&cycle=monthly");
    await page.locator(".checkout__sheet").waitFor();
  },
  calls: ["/api/checkout/quote", "/api/checkout"],
  answerOf: accountAnswerOf,
  act: doInCheckout,
  shows: checkoutShows,
};

const cancelPlace: Place<SnapshotFrom<typeof actMachine>> = {
  // What the page reads first is always the same; asked for again, it is what the way says.
  open: async ({ page }, answers) => {
    await page.goto("/account/subscription/cancel");
    await answers.answer(subscriptionOf("1"));
    await page.locator(".cancellation").waitFor();
  },
  calls: ["/api/subscription/cancel", "/api/subscription"],
  answerOf: accountAnswerOf,
  act: doInCancellation,
  shows: cancellationShows,
};

/** Ends the sign-in while each call of a course is under way. */
async function expectWayBack<Snapshot extends { value: unknown }>(
  visitor: Visitor,
  language: Language,
  ways: readonly Way<Snapshot>[],
  { place, calling }: { place: Place<Snapshot>; calling: readonly string[] },
): Promise<void> {
  const answers = new ForcedAnswers();
  await answers.takeOver(visitor.page, ...place.calls);
  for (const state of calling) {
    const way = ways
      .flatMap(({ name, steps }) => {
        const end = steps.findIndex(({ state: reached }) => reached.value === state);
        return end < 0 ? [] : [{ name, steps: steps.slice(0, end + 1) }];
      })
      .toSorted((one, other) => one.steps.length - other.steps.length)[0];
    if (way === undefined) throw new Error(`No way leads to ${state}`);
    expect(await followWay({ visitor, language, place }, answers, way)).toBeUndefined();
    const { pathname, search } = new URL(visitor.page.url());
    await answers.answer({ status: 401, body: { code: "unauthorized" } });
    await visitor.page.waitForURL("**/login?next=*");
    expect(new URL(visitor.page.url()).searchParams.get("next")).toBe(pathname + search);
  }
}

describe.each(["en", "he"] as const)(
  "the page follows every shortest way, half of them in %s",
  (language) => {
    test("through the sign-in", async () => {
      const visitor = await arrive(language, "none");
      expect(await followHalf({ visitor, language, place: signInPlace }, signInWays)).toEqual([]);
      await visitor.leave();
    });

    test("through the checkout", async () => {
      const visitor = await arrive(language, "kept");
      expect(await followHalf({ visitor, language, place: checkoutPlace }, checkoutWays)).toEqual(
        [],
      );
      await visitor.leave();
    });

    test("through a cancellation", async () => {
      const visitor = await arrive(language, "kept");
      expect(await followHalf({ visitor, language, place: cancelPlace }, cancelWays)).toEqual([]);
      await expectWayBack(visitor, language, cancelWays, {
        place: cancelPlace,
        calling: [language === "en" ? "applying" : "finding"],
      });
      await visitor.leave();
    });
  },
);
