import { isOfficerWarning } from "@pro-talent/schemas/privacy/events";
import type { FormRelation, FormType } from "@pro-talent/schemas/privacy/form";
import { describe, expect, it } from "vitest";

import { privacyDecider, type PrivacyCommand, type PrivacyRefusal } from "../decider.ts";
import type { Recordable } from "../guards.decider.ts";
import type { PrivacyState } from "../state.decider.ts";
import * as facts from "../testing/facts.ts";
import { accountId, dana, omar, onDay } from "../testing/facts.ts";

/** A request, followed through accepted commands, each on its day. */
function after(...commands: readonly (readonly [number, PrivacyCommand])[]): PrivacyState {
  return commands.reduce<PrivacyState>((state, [day, command]) => {
    const events = privacyDecider.decide(command, state, { now: onDay(day) });
    if ("kind" in events) throw new Error(`${command.type} on day ${day}: ${events.code}`);
    return events.reduce((one, event) => privacyDecider.evolve(one, event, onDay(day)), state);
  }, privacyDecider.initialState);
}
function answerTo(
  state: PrivacyState,
  day: number,
  fact: Recordable,
): readonly string[] | PrivacyRefusal {
  const decision = privacyDecider.decide(facts.records(fact), state, { now: onDay(day) });
  return "kind" in decision ? decision.code : decision.map(({ type }) => type);
}
const on = (day: number, fact: Recordable) => [day, facts.records(fact)] as const;
const form = (requestType: FormType, relation: FormRelation) =>
  [0, { type: "ReceiveForm", requestType, relation }] as const;

const asks: Recordable = { type: "IdentityChallengeSent", data: {} };
const fails: Recordable = { type: "IdentityFailed", data: {} };
const verifies: Recordable = { type: "IdentityVerified", data: { method: "mailed-code" } };
const nothingHeld: Recordable = { type: "NothingHeld", data: {} };
const identified = (id: string | null): Recordable => ({
  type: "SubjectIdentified",
  data: { accountId: id },
});
const notified: Recordable = {
  type: "NoticeTried",
  data: { notice: "asked-for-you", result: "sent" },
};
const checks = (officerId: string): Recordable => ({
  type: "IdentityChecked",
  data: { officerId, check: "identity-document" },
});
const approves = (officerId: string): Recordable => ({
  type: "DeletionApproved",
  data: { officerId },
});
const approvesCopy: Recordable = {
  type: "AccessApproved",
  data: { officerId: dana, steps: ["newsletter"] },
};
const noticesOf = (state: PrivacyState) =>
  state.status === "none"
    ? []
    : state.notices.map(({ notice }) => notice).filter((notice) => !isOfficerWarning(notice));

describe("a request by the public form", () => {
  it("is received with a code, and no date passes by waiting for it", () => {
    const received = after(form("access", "mailbox"));
    expect(received).toMatchObject({ status: "received", accountId: null, codes: { number: 1 } });
    expect(answerTo(received, 13, verifies)).toEqual(["IdentityVerified"]);
    expect(answerTo(received, 14, verifies)).toBe("identity-in-time");
    expect(noticesOf(received)).toEqual([]);
  });

  it("gets three codes a day, of which only the last one counts", () => {
    const thrice = after(form("access", "mailbox"), on(0, asks), on(0, asks));
    expect(thrice).toMatchObject({ codes: { number: 3 } });
    expect(answerTo(thrice, 0, asks)).toBe("codes-left");
    expect(answerTo(thrice, 1, asks)).toEqual(["IdentityChallengeSent"]);
  });

  it("ends with the fifth wrong code, also when a new code was sent between them", () => {
    const four = [form("delete", "mailbox"), on(0, fails), on(0, fails), on(1, asks)] as const;
    const last = after(...four, on(1, fails), on(1, fails));
    expect(answerTo(last, 1, fails)).toEqual(["IdentityFailed", "IdentityRefused"]);
    const ended = after(...four, on(1, fails), on(1, fails), on(1, fails));
    expect(ended).toMatchObject({ status: "completed", outcome: "denied" });
    expect(answerTo(ended, 1, verifies)).toBe("not-possible-now");
  });

  it("a code is nothing for a request of a signed-in holder", () => {
    const access = after([0, facts.receives("access")]);
    expect(answerTo(access, 0, asks)).toBe("by-form");
    expect(answerTo(after([0, facts.receives("delete")]), 0, approves(dana))).toBe(
      "not-possible-now",
    );
  });
});

describe("a request about a mailbox", () => {
  const verified = (type: FormType) => [form(type, "mailbox"), on(2, verifies)] as const;

  it("for a deletion is scheduled without an officer, for 30 days after receipt", () => {
    expect(answerTo(after(...verified("delete")), 2, identified(null))).toEqual([
      "SubjectIdentified",
      "DeletionScheduled",
    ]);
    const scheduled = after(...verified("delete"), on(2, identified(null)));
    expect(scheduled).toMatchObject({ status: "scheduled", clocks: { eraseAt: onDay(30) } });
    expect(noticesOf(scheduled)).toEqual(["scheduled"]);
    expect(answerTo(scheduled, 29, facts.claimed)).toBe("grace-over");
    expect(answerTo(scheduled, 29, facts.cancelled)).toEqual(["DeletionCancelled"]);
  });

  it("about which nothing is held ends with that notice", () => {
    const ended = after(...verified("delete"), on(2, nothingHeld));
    expect(ended).toMatchObject({ status: "completed", outcome: "nothing-held" });
    expect(noticesOf(ended)).toEqual(["nothing-held"]);
  });

  it("for a copy is decided by one officer at once", () => {
    const assigned = after(
      ...verified("access"),
      on(2, identified(null)),
      on(2, facts.assigned(dana)),
    );
    expect(noticesOf(assigned)).toEqual(["received"]);
    expect(answerTo(assigned, 2, approvesCopy)).toEqual(["AccessApproved"]);
    expect(answerTo(assigned, 2, checks(dana))).toBe("needs-review");
  });

  it("keeps what was entered until the last mail, then forgets it once", () => {
    const withdrawn = after(
      ...verified("access"),
      on(2, identified(null)),
      on(3, { type: "RequestWithdrawn", data: {} }),
    );
    const forgets: Recordable = { type: "ContentsForgotten", data: {} };
    expect(noticesOf(withdrawn)).toEqual(["withdrawn"]);
    expect(answerTo(withdrawn, 3, forgets)).toBe("nothing-owed");
    const mailedNotice = {
      type: "NoticeTried",
      data: { notice: "withdrawn", result: "sent" },
    } as const;
    const mailed = [
      ...verified("access"),
      on(2, identified(null)),
      on(3, { type: "RequestWithdrawn", data: {} }),
      on(3, mailedNotice),
    ] as const;
    expect(answerTo(after(...mailed), 3, forgets)).toEqual(["ContentsForgotten"]);
    expect(answerTo(after(...mailed, on(3, forgets)), 3, forgets)).toBe("nothing-owed");
  });
});

describe("a request about an account whose holder does not sign in", () => {
  const known = (type: FormType) =>
    [form(type, "account"), on(1, verifies), on(1, identified(accountId))] as const;
  const waited = (type: FormType) => [...known(type), on(1, notified)] as const;

  it("is like one about a mailbox when the address has no account", () => {
    const deletion = after(form("delete", "account"), on(1, verifies), on(1, identified(null)));
    expect(deletion).toMatchObject({ status: "scheduled" });
  });

  it("notifies the holder, who has seven days to withdraw it", () => {
    const state = after(...known("access"));
    expect(noticesOf(state)).toEqual(["received", "asked-for-you"]);
    expect(answerTo(state, 2, { type: "RequestWithdrawn", data: {} })).toEqual([
      "RequestWithdrawn",
    ]);
  });

  it("is approved after a check and those seven days, not by the code alone", () => {
    const assigned = after(...waited("access"), on(9, facts.assigned(dana)));
    expect(answerTo(assigned, 9, approvesCopy)).toBe("identity-enough");
    const early = after(...waited("access"), on(7, facts.assigned(dana)), on(7, checks(dana)));
    expect(answerTo(early, 7, approvesCopy)).toBe("identity-enough");
    const ready = after(...waited("access"), on(8, facts.assigned(dana)), on(8, checks(dana)));
    expect(answerTo(ready, 8, approvesCopy)).toEqual(["AccessApproved"]);
    const unnotified = after(...known("access"), on(9, facts.assigned(dana)), on(9, checks(dana)));
    expect(answerTo(unnotified, 9, approvesCopy)).toBe("identity-enough");
  });

  it("for a deletion needs two officers, and is then scheduled for 30 days after receipt", () => {
    const checked = [
      ...waited("delete"),
      on(8, facts.assigned(dana)),
      on(8, checks(dana)),
      on(8, approves(dana)),
    ] as const;
    expect(after(...checked)).toMatchObject({ status: "verified", approvedBy: [dana] });
    expect(answerTo(after(...checked), 8, approves(dana))).toBe("first-approval");
    const second = after(...checked, on(9, facts.assigned(omar)));
    expect(answerTo(second, 9, approves(omar))).toEqual(["DeletionApproved", "DeletionScheduled"]);
    expect(after(...checked, on(9, facts.assigned(omar)), on(9, approves(omar)))).toMatchObject({
      status: "scheduled",
      clocks: { eraseAt: onDay(30) },
    });
  });
});

describe("a request by someone who was authorised", () => {
  it("needs a check and the time to object, whether the person has an account or not", () => {
    const waited = [
      form("access", "authorised"),
      on(1, verifies),
      on(1, identified(null)),
      on(1, notified),
      on(9, facts.assigned(dana)),
    ] as const;
    expect(answerTo(after(...waited), 9, approvesCopy)).toBe("identity-enough");
    expect(answerTo(after(...waited, on(9, checks(dana))), 9, approvesCopy)).toEqual([
      "AccessApproved",
    ]);
  });
});
