import { Instant } from "@pro-talent/schemas/primitives/instant";
import { clocksOf } from "@pro-talent/schemas/privacy/clocks";
import { keyStep, type Notice } from "@pro-talent/schemas/privacy/events";
import { type RequestType, requestTypes } from "@pro-talent/schemas/privacy/request";
import { transitions } from "@pro-talent/schemas/privacy/transitions";
import { describe, expect, it } from "vitest";

import { type PrivacyCommand, privacyDecider, type PrivacyRefusal } from "./decider.ts";
import type { Recordable } from "./guards.decider.ts";
import { privacyRequests } from "./requests.ts";
import type { PrivacyState } from "./state.decider.ts";
import * as facts from "./testing/facts.ts";
import { dana, omar, onDay } from "./testing/facts.ts";

/** A request, followed through accepted commands, each on its day. */
function after(...commands: readonly (readonly [number, PrivacyCommand])[]): PrivacyState {
  return commands.reduce<PrivacyState>((state, [day, command]) => {
    const now = onDay(day);
    const events = privacyDecider.decide(command, state, { now });
    if ("kind" in events) throw new Error(`${command.type} on day ${day}: ${events.code}`);
    return events.reduce((before, event) => privacyDecider.evolve(before, event, now), state);
  }, privacyDecider.initialState);
}
const on = (day: number, fact: Recordable) => [day, facts.records(fact)] as const;
const deletion = [0, facts.receives("delete")] as const;
const access = [0, facts.receives("access")] as const;

/** The type of each event that follows, or the code of the refusal. */
function answerTo(
  state: PrivacyState,
  day: number,
  fact: Recordable,
): readonly string[] | PrivacyRefusal {
  const decision = privacyDecider.decide(facts.records(fact), state, { now: onDay(day) });
  return "kind" in decision ? decision.code : decision.map(({ type }) => type);
}

describe("the clocks of a request", () => {
  it("a decision is due by the end of the 21st day in Israel, also over the change of the clock", () => {
    const { dueAt } = clocksOf("access", Instant.parse("2026-03-20T23:30:00.000Z"));
    // 21 March, 01:30 in Jerusalem; 21 days later is 11 April, whose end is at UTC+3.
    expect(dueAt).toBe("2026-04-11T21:00:00.000Z");
  });

  it("a deletion is due 30 days after receipt, every other request never", () => {
    const at = Instant.parse("2026-03-01T08:00:00.000Z");
    expect(clocksOf("delete", at).eraseAt).toBe("2026-03-31T08:00:00.000Z");
    expect(clocksOf("access", at).eraseAt).toBeNull();
  });
});

describe("a deletion by a signed-in holder", () => {
  it("is scheduled at once, for 30 days after receipt, without approval", () => {
    const decision = privacyDecider.decide(facts.receives("delete"), after(), { now: onDay(0) });
    expect(decision).toMatchObject([
      { type: "RequestReceived" },
      { type: "IdentityVerified", data: { method: "step-up" } },
      { type: "DeletionScheduled", data: { eraseAt: onDay(30) } },
    ]);
  });

  it("is scheduled when the identity is verified later, still for 30 days after receipt", () => {
    const received = after([
      0,
      { type: "ReceiveRequest", requestType: "delete", accountId: null, identity: null },
    ]);
    const verified: Recordable = { type: "IdentityVerified", data: { method: "mailed-code" } };
    const decision = privacyDecider.decide(facts.records(verified), received, { now: onDay(9) });
    expect(decision).toMatchObject([
      { type: "IdentityVerified" },
      { type: "DeletionScheduled", data: { eraseAt: onDay(30) } },
    ]);
    expect(answerTo(received, 14, verified)).toBe("identity-in-time");
    expect(answerTo(received, 14, { type: "IdentityExpired", data: {} })).toEqual([
      "IdentityExpired",
    ]);
  });

  it("can be cancelled until it is claimed, then not any more", () => {
    expect(answerTo(after(deletion), 29, facts.cancelled)).toEqual(["DeletionCancelled"]);
    const claimed = after(deletion, on(30, facts.claimed));
    expect(answerTo(claimed, 30, facts.cancelled)).toBe("erasing-already");
    const cancelled = after(deletion, on(5, facts.cancelled));
    expect(cancelled).toMatchObject({ status: "completed", outcome: "cancelled" });
    expect(answerTo(cancelled, 40, facts.claimed)).toBe("not-possible-now");
  });

  it("is not claimed before its day, unless the holder waives the grace period", () => {
    expect(answerTo(after(deletion), 29, facts.claimed)).toBe("grace-over");
    expect(answerTo(after(deletion), 30, facts.claimed)).toEqual(["EraseClaimed"]);
    expect(answerTo(after(deletion, on(3, facts.waived)), 3, facts.claimed)).toEqual([
      "EraseClaimed",
    ]);
  });

  it("can not be approved or denied by an officer", () => {
    expect(answerTo(after(deletion), 1, facts.assigned(dana))).toBe("not-possible-now");
    expect(answerTo(after(deletion), 1, facts.denied(dana))).toBe("not-possible-now");
  });

  it("waits while a hold stands, whose review is at most 90 days away", () => {
    expect(answerTo(after(deletion), 1, facts.holdPlaced(onDay(92)))).toBe("hold-review-in-time");
    const held = after(deletion, on(1, facts.holdPlaced(onDay(90))));
    expect(answerTo(held, 31, facts.claimed)).toBe("not-held");
    expect(answerTo(held, 31, facts.holdPlaced(onDay(90)))).toBe("hold-is-new");
    const released = after(
      deletion,
      on(1, facts.holdPlaced(onDay(90))),
      on(31, facts.holdReleased),
    );
    expect(answerTo(released, 31, facts.claimed)).toEqual(["EraseClaimed"]);
    const claimed = after(deletion, on(30, facts.claimed));
    expect(answerTo(claimed, 30, facts.holdPlaced(onDay(60)))).toBe("erasing-already");
  });
});

describe("an erasure", () => {
  const erasing = [deletion, on(30, facts.claimed), on(30, facts.journalled)] as const;
  const emptied = [
    ...erasing,
    on(30, facts.suppressed),
    on(30, facts.stepDone("links")),
    on(30, facts.stepDone("visits")),
  ] as const;

  it("begins with the journal, then every collector refuses the subject, then the stores", () => {
    const claimed = after(deletion, on(30, facts.claimed));
    expect(answerTo(claimed, 30, facts.stepDone("links"))).toBe("not-possible-now");
    expect(answerTo(after(...erasing), 30, facts.stepDone("links"))).toBe("suppressed");
    const suppressed = after(...erasing, on(30, facts.suppressed));
    expect(answerTo(suppressed, 30, facts.stepDone("links"))).toEqual(["StepDone"]);
  });

  it("a store is done when nothing is left in it, and done once", () => {
    const suppressed = after(...erasing, on(30, facts.suppressed));
    expect(answerTo(suppressed, 30, facts.stepDone("links", 2))).toBe("nothing-left");
    expect(answerTo(after(...emptied), 30, facts.stepDone("links"))).toBe("step-open");
  });

  it("destroys the key last, and is never claimed without that step", () => {
    const suppressed = after(...erasing, on(30, facts.suppressed));
    expect(answerTo(suppressed, 30, facts.stepDone(keyStep))).toBe("key-last");
    expect(answerTo(after(...emptied), 30, facts.stepDone(keyStep))).toEqual(["StepDone"]);
    const keyless: Recordable = { type: "EraseClaimed", data: { steps: ["links"] } };
    expect(answerTo(after(deletion), 30, keyless)).toBe("key-planned");
  });

  it("is erased after a clean scan, and complete when no backup holds the subject", () => {
    expect(answerTo(after(...emptied), 30, facts.scanClean)).toBe("steps-done");
    const done = [...emptied, on(30, facts.stepDone(keyStep)), on(31, facts.scanClean)] as const;
    expect(answerTo(after(...done), 120, facts.backupsAged(onDay(31)))).toBe("backups-aged");
    expect(after(...done, on(121, facts.backupsAged(onDay(32))))).toMatchObject({
      status: "completed",
      outcome: "fulfilled",
    });
  });

  it("begins again when a later scan finds data of the subject", () => {
    const done = [...emptied, on(30, facts.stepDone(keyStep)), on(31, facts.scanClean)] as const;
    const found = after(...done, on(40, { type: "ScanHit", data: {} }));
    expect(found).toMatchObject({ status: "erasing", open: ["links", "visits", keyStep] });
    expect(answerTo(found, 40, facts.scanClean)).toBe("steps-done");
  });

  it("begins again in a restored backup that is older than the claim, which can not be cancelled", () => {
    const reapplied: Recordable = {
      type: "JournalReapplied",
      data: { entry: 1, steps: ["links", keyStep] },
    };
    const held = after(deletion, on(1, facts.holdPlaced(onDay(90))));
    expect(answerTo(held, 40, reapplied)).toEqual(["JournalReapplied"]);
    const again = after(deletion, on(40, reapplied));
    expect(again).toMatchObject({ status: "erasing", open: ["links", keyStep], suppressed: false });
    expect(answerTo(again, 40, facts.cancelled)).toBe("erasing-already");
  });

  it("stops after five failed attempts of a store, until an officer retries", () => {
    const fails = on(30, facts.stepFailed("links"));
    const before = after(...erasing, fails, fails, fails, fails);
    expect(answerTo(before, 30, facts.stepFailed("links"))).toEqual([
      "StepFailed",
      "RequestStalled",
    ]);
    const stalled = [...erasing, fails, fails, fails, fails, fails] as const;
    expect(answerTo(after(...stalled), 30, facts.cancelled)).toBe("erasing-already");
    expect(after(...stalled, on(31, facts.retried))).toMatchObject({ status: "claimed" });
  });
});

describe("a request for access or correction", () => {
  const withDana = [access, on(1, facts.assigned(dana))] as const;

  it("is decided by the officer who has it, for half an hour", () => {
    expect(answerTo(after(...withDana), 1, facts.assigned(omar))).toBe("lease-free");
    expect(answerTo(after(...withDana), 1, facts.denied(omar))).toBe("lease-held");
    expect(answerTo(after(...withDana), 2, facts.denied(dana))).toBe("lease-held");
    expect(answerTo(after(...withDana), 2, facts.assigned(omar))).toEqual(["Assigned"]);
    expect(answerTo(after(...withDana), 1, facts.denied(dana))).toEqual(["RequestDenied"]);
  });

  it("is denied for suspected fraud by two officers only", () => {
    const proposes: Recordable = {
      type: "DenialProposed",
      data: { officerId: dana, reason: "suspected-fraud" },
    };
    const proposed = [...withDana, on(1, proposes)] as const;
    expect(answerTo(after(...proposed), 1, facts.denied(dana, "suspected-fraud"))).toBe(
      "second-officer",
    );
    const second = after(...proposed, on(2, facts.assigned(omar)));
    expect(answerTo(second, 2, facts.denied(omar, "suspected-fraud"))).toEqual(["RequestDenied"]);
  });

  it("an extension is declared once by law, before the due date, which it does not move", () => {
    const extends_: Recordable = {
      type: "ExtensionDeclared",
      data: { officerId: dana, law: "gdpr" },
    };
    const extended = [...withDana, on(1, extends_)] as const;
    expect(after(...extended)).toMatchObject({ clocks: clocksOf("access", onDay(0)) });
    expect(answerTo(after(...extended), 1, extends_)).toBe("first-extension");
    const late = after(access, on(25, facts.assigned(dana)));
    expect(answerTo(late, 25, extends_)).toBe("before-due");
    expect(answerTo(late, 25, { type: "DueDateMissed", data: {} })).toEqual(["DueDateMissed"]);
  });

  it("a package is downloaded five times within 14 days, by what was collected from every store", () => {
    const approves: Recordable = {
      type: "AccessApproved",
      data: { officerId: dana, steps: ["profile", "links"] },
    };
    const seals: Recordable = { type: "PackageSealed", data: { sha256: "0".repeat(64) } };
    const half = [...withDana, on(1, approves), on(1, facts.stepDone("profile", 4))] as const;
    expect(answerTo(after(...half), 1, seals)).toBe("steps-done");
    const ready = [...half, on(1, facts.stepDone("links")), on(1, seals)] as const;
    const downloads: Recordable = { type: "PackageDownloaded", data: {} };
    const five = Array.from({ length: 5 }, () => on(2, downloads));
    expect(answerTo(after(...ready), 14, downloads)).toEqual(["PackageDownloaded"]);
    expect(answerTo(after(...ready, ...five), 2, downloads)).toBe("package-valid");
    expect(answerTo(after(...ready), 15, downloads)).toBe("package-valid");
    expect(answerTo(after(...ready), 14, { type: "PackageExpired", data: {} })).toBe(
      "package-lapsed",
    );
  });

  it("a correction goes back to the officer when the field has changed since the review", () => {
    const approves: Recordable = {
      type: "CorrectionApproved",
      data: { officerId: dana, steps: ["phone"] },
    };
    const applying = after(
      [0, facts.receives("correct")],
      on(1, facts.assigned(dana)),
      on(1, approves),
    );
    expect(answerTo(applying, 1, { type: "RecipientsNotified", data: { recipients: [] } })).toBe(
      "steps-done",
    );
    expect(answerTo(applying, 1, { type: "CorrectionOutdated", data: {} })).toEqual([
      "CorrectionOutdated",
    ]);
  });
});

describe("warnings of a request that waits", () => {
  const warned = (state: PrivacyState) =>
    state.status === "none" ? [] : state.notices.map(({ notice, at }) => `${notice} ${at}`);
  const mornings = [
    "day-14 2026-03-15T06:00:00.000Z",
    "day-18 2026-03-19T06:00:00.000Z",
    "day-20 2026-03-21T06:00:00.000Z",
  ];
  const sent = (notice: Notice): Recordable => ({
    type: "NoticeTried",
    data: { notice, result: "sent" },
  });
  const approved: Recordable = {
    type: "CorrectionApproved",
    data: { officerId: dana, steps: ["phone"] },
  };

  it("are due in the morning of three days, from when it is known who asked", () => {
    expect(warned(after(access, on(0, sent("received"))))).toEqual(mornings);
    expect(warned(after(deletion, on(0, sent("scheduled"))))).toEqual([]);
  });

  it("come again when it is with the officers again after one of them", () => {
    const reviewed = [
      [0, facts.receives("correct")],
      on(0, sent("received")),
      on(14, sent("day-14")),
      on(18, sent("day-18")),
      on(20, sent("day-20")),
      on(20, facts.assigned(dana)),
      on(20, approved),
    ] as const;
    expect(warned(after(...reviewed))).toEqual([]);
    const again = [`day-20 ${onDay(20)}`];
    expect(warned(after(...reviewed, on(20, { type: "CorrectionOutdated", data: {} })))).toEqual(
      again,
    );
    const fails = Array.from({ length: 5 }, () => on(20, facts.stepFailed("phone")));
    expect(warned(after(...reviewed, ...fails))).toEqual(again);
  });
});

describe("a request whose account is erased by another one", () => {
  const ends: Recordable = { type: "RequestEndedByErasure", data: {} };
  const asks = (requestType: RequestType) =>
    ({ type: "ReceiveRequest", requestType, accountId: facts.accountId, identity: null }) as const;

  it.each(["access", "correct", "delete"] as const)(
    "ends before its identity is verified: %s",
    (type) => {
      expect(after([0, asks(type)], on(1, ends))).toMatchObject({
        status: "completed",
        outcome: "erased",
        notices: [],
      });
    },
  );

  it("ends while it is reviewed, and nothing of it happens any more", () => {
    const ended = after(access, on(1, facts.assigned(dana)), on(1, ends));
    expect(ended).toMatchObject({ status: "completed", outcome: "erased" });
    expect(
      answerTo(ended, 1, { type: "AccessApproved", data: { officerId: dana, steps: ["a"] } }),
    ).toBe("not-possible-now");
    // A form that is completed is ended again, so that its address is erased before its last mail.
    expect(answerTo(ended, 1, ends)).toBe("by-form");
  });

  it("ends a deletion that is scheduled, unless it is held or claimed", () => {
    expect(answerTo(after(deletion), 1, ends)).toEqual(["RequestEndedByErasure"]);
    const held = after(deletion, on(1, facts.holdPlaced(onDay(90))));
    expect(answerTo(held, 1, ends)).toBe("not-held");
    expect(answerTo(after(deletion, on(30, facts.claimed)), 30, ends)).toBe("not-possible-now");
  });
});

it("the end of a deletion is recorded as a request of its own, completed at once", () => {
  expect(after([0, facts.receives("cancel-deletion")])).toMatchObject({
    status: "completed",
    outcome: "fulfilled",
  });
});

it("what is sealed with a request is destroyed with its end, or with its account, and by nothing else", () => {
  expect(privacyRequests.erasure?.events.toSorted()).toEqual([
    // Recorded once a request is completed and its last mail is sent.
    "ContentsForgotten",
    "EraseClaimed",
    "JournalReapplied",
    "RequestEndedByErasure",
  ]);
});

it("is received once", () => {
  const again = privacyDecider.decide(facts.receives("delete"), after(deletion), { now: onDay(1) });
  expect(again).toEqual({ kind: "refusal", code: "already-received" });
});

it.each(requestTypes)("the table has one row for a status and an event of type %s", (type) => {
  const keys = transitions[type].flatMap(({ from, event }) =>
    from.map((status) => `${status} ${event}`),
  );
  expect(new Set(keys).size).toBe(keys.length);
});
