import { Instant } from "@pro-talent/schemas/primitives/instant";
import { clocksOf } from "@pro-talent/schemas/privacy/clocks";
import type { Notice } from "@pro-talent/schemas/privacy/events";
import { type RequestType, requestTypes } from "@pro-talent/schemas/privacy/request";
import { transitions } from "@pro-talent/schemas/privacy/transitions";
import { describe, expect, it } from "vitest";

import { privacyDecider } from "./decider.ts";
import type { Recordable } from "./guards.decider.ts";
import { privacyRequests } from "./requests.ts";
import type { PrivacyState } from "./state.decider.ts";
import * as facts from "./testing/facts.ts";
import { dana, omar, onDay } from "./testing/facts.ts";
import { access, after, answerTo, deletion, on } from "./testing/given.ts";

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
