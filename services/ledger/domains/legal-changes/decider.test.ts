import type {
  ChangeNoticeEvent,
  LegalChange,
  LegalChangeEvent,
} from "@pro-talent/schemas/legal-changes/events";
import { Day } from "@pro-talent/schemas/primitives/calendar";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { specification } from "../../kernel/testing/given.ts";
import { changeDecider, effectiveFor, nextAttempt, noticeDecider, versionFor } from "./decider.ts";

const day = (text: string): Day => Day.parse(text);
const at = (text: string): Instant => Instant.parse(`${text}T10:00:00.000Z`);
const ids = {
  changeId: "3f1d2c4b-5a69-4788-9b0a-1c2d3e4f5a6b",
  recipient: "account",
  recipientId: "4f1d2c4b-5a69-4788-9b0a-1c2d3e4f5a6b",
} as const;
const change: LegalChange = {
  document: "terms",
  version: day("2027-02-01"),
  summary: { en: "Refunds take 10 days.", he: "החזר נמשך 10 ימים." },
};

describe("a material change", () => {
  const announce = (changed: Partial<LegalChange> = {}) => ({
    type: "AnnounceChange" as const,
    change: { ...change, ...changed },
    current: "2026-11-22",
  });
  const announced = { type: "ChangeAnnounced" as const, data: change };
  const given = (on: string, events: readonly LegalChangeEvent[]) =>
    specification(changeDecider, at(on))(events);

  it("is announced at least 30 days before it takes effect, in whole days", () => {
    given("2027-01-02", []).when(announce()).then([announced]);
    given("2027-01-03", []).when(announce()).thenRefuses("too-early");
  });

  it("leads to a version later than the one in force", () => {
    given("2026-11-24", [])
      .when(announce({ version: day("2026-11-22") }))
      .thenRefuses("not-newer");
  });

  it("is announced once: repeated nothing changes, and never otherwise", () => {
    given("2027-01-20", [announced]).when(announce()).thenNothingChanges();
    given("2027-01-02", [announced])
      .when(announce({ summary: { en: "Another summary.", he: "תקציר אחר." } }))
      .thenRefuses("announced-otherwise");
  });
});

describe("the notice of a change", () => {
  const required: ChangeNoticeEvent = {
    type: "ChangeNoticeRequired",
    data: { ...ids, effectiveOn: day("2027-02-01") },
  };
  const delivered = { type: "ChangeNoticeDelivered" as const, data: {} };
  const refused = { type: "ChangeNoticeRefused" as const, data: {} };
  const delayed = { type: "ChangeNoticeDelayed" as const, data: {} };
  const returned = { type: "ChangeNoticeReturned" as const, data: {} };
  const acknowledged = { type: "ChangeAcknowledged" as const, data: {} };
  const ended = { type: "ChangeNoticeEnded" as const, data: { reason: "gone" as const } };
  const given = specification(noticeDecider);
  const attempt = (result: "sent" | "refused" | "later") => ({
    type: "RecordAttempt" as const,
    result,
  });
  const requires = { type: "RequireNotice", ...ids, effectiveOn: day("2027-02-01") } as const;
  const after = (...events: readonly (readonly [string, ChangeNoticeEvent])[]) => {
    const state = events.reduce(
      (before, [on, event]) => noticeDecider.evolve(before, event, at(on)),
      noticeDecider.initialState,
    );
    if (state.status !== "required") throw new Error("No notice is required");
    return { next: nextAttempt(state), effective: effectiveFor(state), refused: state.refused };
  };

  it("is required once for each recipient, and not again after its end", () => {
    given([]).when(requires).then([required]);
    given([required]).when(requires).thenNothingChanges();
    given([required, ended]).when(requires).thenNothingChanges();
  });

  it("records what became of an attempt that is due", () => {
    given([required])
      .when(attempt("sent"))
      .then([{ type: "ChangeNoticeDelivered", data: {} }]);
    given([required])
      .when(attempt("refused"))
      .then([{ type: "ChangeNoticeRefused", data: {} }]);
    given([required])
      .when(attempt("later"))
      .then([{ type: "ChangeNoticeDelayed", data: {} }]);
    given([]).when(attempt("sent")).thenRefuses("not-required");
    given([required, refused]).when(attempt("sent")).thenRefuses("not-due");
    given([required, delivered]).when(attempt("sent")).thenRefuses("not-due");
  });

  it("makes the change effective on its day, or 30 days after the delivery if that is later", () => {
    expect(after(["2026-12-01", required])).toMatchObject({ effective: null });
    const early = after(["2026-12-01", required], ["2026-12-02", delivered]);
    expect(early).toEqual({ effective: "2027-02-01", next: null, refused: false });
    const late = after(
      ["2026-12-01", required],
      ["2026-12-01", refused],
      ["2027-01-20", delivered],
    );
    expect(late).toMatchObject({ effective: "2027-02-19", refused: false });
  });

  it("is tried again after a week when it was refused, after hours when it was delayed", () => {
    expect(after(["2026-12-01", required], ["2026-12-01", refused])).toEqual({
      effective: null,
      next: "2026-12-08T10:00:00.000Z",
      refused: true,
    });
    const twice = after(["2026-12-01", required], ["2026-12-01", delayed], ["2026-12-01", delayed]);
    expect(twice.next).toBe("2026-12-01T14:00:00.000Z");
  });

  it("counts as not delivered once it came back, and is tried again", () => {
    const back = after(
      ["2026-12-01", required],
      ["2026-12-01", delivered],
      ["2026-12-02", returned],
    );
    expect(back).toEqual({ effective: null, next: "2026-12-09T10:00:00.000Z", refused: true });
    given([required]).when({ type: "RecordReturn" }).thenNothingChanges();
  });

  it("is acknowledged once, which counts as its delivery where no mail arrived", () => {
    given([required]).when({ type: "Acknowledge" }).then([acknowledged]);
    given([required, acknowledged]).when({ type: "Acknowledge" }).thenNothingChanges();
    given([]).when({ type: "Acknowledge" }).thenRefuses("not-required");
    const read = after(
      ["2026-12-01", required],
      ["2026-12-01", refused],
      ["2027-01-20", acknowledged],
    );
    expect(read).toMatchObject({ effective: "2027-02-19", next: null });
    const early = after(
      ["2026-12-01", required],
      ["2026-12-02", delivered],
      ["2027-01-20", acknowledged],
    );
    expect(early).toMatchObject({ effective: "2027-02-01" });
  });

  it("that is acknowledged is not mailed again, whatever becomes of its mail", () => {
    given([required, acknowledged]).when(attempt("refused")).thenNothingChanges();
    given([required, delivered, acknowledged]).when({ type: "RecordReturn" }).thenNothingChanges();
  });

  it("ends with the account, with the subscription, or where another notice replaces it", () => {
    for (const reason of ["gone", "has-account", "do-not-mail"] as const)
      given([required])
        .when({ type: "EndNotice", reason })
        .then([{ type: "ChangeNoticeEnded", data: { reason } }]);
    given([]).when({ type: "EndNotice", reason: "gone" }).thenNothingChanges();
  });
});

describe("the version that applies to a holder", () => {
  const change = (version: string, effectiveOn: string | null) => ({
    document: "terms" as const,
    version: day(version),
    effectiveOn: effectiveOn === null ? null : day(effectiveOn),
  });
  const accepted = { terms: "2026-11-22", privacy: "2026-11-23" };
  const own = [change("2027-02-01", "2027-02-19"), change("2027-06-01", null)];
  const on = (today: string) => versionFor("terms", { accepted, own, today: day(today) });

  it("is the accepted one until a change takes effect for them, whatever the day of the change is", () => {
    expect([on("2027-02-18"), on("2027-02-19")]).toEqual(["2026-11-22", "2027-02-01"]);
  });

  it("does not change while the notice is not delivered", () => {
    expect(on("2028-01-01")).toBe("2027-02-01");
  });

  it("is unknown where it was not recorded what was accepted", () => {
    const unknown = { accepted: { terms: "", privacy: "" }, own: [], today: day("2027-01-01") };
    expect(versionFor("terms", unknown)).toBeNull();
    expect(versionFor("privacy", { ...unknown, accepted: null })).toBeNull();
  });
});
