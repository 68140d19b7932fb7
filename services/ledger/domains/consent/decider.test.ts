import type { NoticeShown } from "@pro-talent/schemas/analytics/wire";
import type { ConsentEvent } from "@pro-talent/schemas/consent/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { consentDecider, type DecideConsent, stateOf } from "./decider.ts";
import { consentEvents } from "./read-models.ts";
import { englishNotice } from "./testing/decisions.ts";

const given = specification(consentDecider);
const firstReceipt = "11111111-1111-4111-8111-111111111111";
const nextReceipt = "22222222-2222-4222-8222-222222222222";

const accepts: DecideConsent = {
  type: "DecideConsent",
  purpose: "analytics",
  decision: "grant",
  method: "accept_all",
  notice: englishNotice,
  receiptId: nextReceipt,
};
const rejects: DecideConsent = { ...accepts, decision: "refuse", method: "reject_all" };

const granted: ConsentEvent = {
  type: "ConsentGranted",
  data: {
    purpose: "analytics",
    method: "accept_all",
    notice: englishNotice,
    receiptId: firstReceipt,
  },
};
const withdrawn: ConsentEvent = {
  type: "ConsentWithdrawn",
  data: { ...granted.data, method: "reject_all" },
};

const grantedNext = (notice: NoticeShown | null): ConsentEvent => ({
  type: "ConsentGranted",
  data: { purpose: "analytics", method: "accept_all", notice, receiptId: nextReceipt },
});

describe("a visitor accepts", () => {
  it("for the first time: the consent is recorded with the text that was shown", () => {
    given([])
      .when(accepts)
      .then([grantedNext(englishNotice)]);
  });

  it("again, with the same text: nothing new is recorded", () => {
    given([granted]).when(accepts).thenNothingChanges();
  });

  it("again by another way, with the same text: nothing new is recorded", () => {
    given([granted])
      .when({ ...accepts, method: "customise" })
      .thenNothingChanges();
  });

  it.each([
    ["a new version of the text", { ...englishNotice, version: "2026-02-01" }],
    ["the text in another language", { ...englishNotice, language: "he" as const }],
    ["a text with another wording", { ...englishNotice, textHash: "b".repeat(64) }],
    ["no known text", null],
  ])("again after being shown %s: a new consent is recorded", (_what, notice) => {
    given([granted])
      .when({ ...accepts, notice })
      .then([grantedNext(notice)]);
  });

  it("after withdrawing: the consent is recorded again", () => {
    given([granted, withdrawn])
      .when(accepts)
      .then([grantedNext(englishNotice)]);
  });

  it.each(["dnt", "gpc"] as const)(
    "by the browser's %s signal: refused, a signal can only refuse",
    (method) => {
      given([])
        .when({ ...accepts, method })
        .thenRefuses("signal_cannot_grant");
    },
  );
});

describe("a visitor refuses", () => {
  it("for the first time: nothing is recorded about a visitor who refused", () => {
    given([]).when(rejects).thenNothingChanges();
  });

  it.each(["reject_all", "customise", "reset", "dnt", "gpc"] as const)(
    "after accepting, by %s: the withdrawal is recorded",
    (method) => {
      given([granted])
        .when({ ...rejects, method })
        .then([
          {
            type: "ConsentWithdrawn",
            data: { purpose: "analytics", method, notice: englishNotice, receiptId: nextReceipt },
          },
        ]);
    },
  );

  it("after withdrawing: nothing new is recorded", () => {
    given([granted, withdrawn]).when(rejects).thenNothingChanges();
  });
});

describe("what is known of a visitor", () => {
  const known = (events: readonly ConsentEvent[]) =>
    stateOf(
      events.reduce(
        (states, event) => consentDecider.evolve(states, event, instantFromMs(0)),
        consentDecider.initialState,
      ),
      "analytics",
    );

  it("is nothing before a decision", () => {
    expect(known([])).toEqual({ status: "none" });
  });

  it("is the latest decision, with its text and receipt", () => {
    expect(known([granted])).toEqual({
      status: "granted",
      notice: englishNotice,
      receiptId: firstReceipt,
    });
    expect(known([granted, withdrawn]).status).toBe("withdrawn");
    expect(known([granted, withdrawn, grantedNext(null)])).toEqual({
      status: "granted",
      notice: null,
      receiptId: nextReceipt,
    });
  });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, consentEvents, consentDecider)).toEqual([]);
});
