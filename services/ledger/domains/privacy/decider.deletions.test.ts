import { keyStep } from "@pro-talent/schemas/privacy/events";
import { describe, expect, it } from "vitest";

import { privacyDecider } from "./decider.ts";
import type { Recordable } from "./guards.decider.ts";
import * as facts from "./testing/facts.ts";
import { dana, onDay } from "./testing/facts.ts";
import { after, answerTo, deletion, on } from "./testing/given.ts";

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
