import type { ContactEvent, ContactMessageReceived } from "@pro-talent/schemas/contact/events";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import {
  instantFromMs,
  instantPlus,
  instantPlusMonths,
} from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { stateAfter } from "../../kernel/streams.ts";
import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import {
  contactEvents,
  contactMessages,
  destroyKeyTimer,
  eraseDetailsTimer,
  expireMessageTimer,
} from "./contact-messages.ts";
import { type ContactCommand, contactDecider, type SendContactMessage } from "./decider.ts";

const given = specification(contactDecider);

const sends: SendContactMessage = {
  type: "SendContactMessage",
  reference: "PT-7K2M-9XQD",
  category: "bug",
  language: "he",
  suspected: false,
  recentAcknowledgements: 0,
};

const received = (
  change: Partial<ContactMessageReceived["data"]> = {},
): ContactMessageReceived => ({
  type: "ContactMessageReceived",
  data: {
    reference: "PT-7K2M-9XQD",
    category: "bug",
    language: "he",
    suspected: false,
    acknowledged: true,
    ...change,
  },
});

const settles: ContactCommand = { type: "SettleContactMatter" };
const settled: ContactEvent = { type: "ContactMatterSettled", data: {} };
const erases: ContactCommand = { type: "EraseContactDetails" };
const expires: ContactCommand = { type: "ExpireContactMessage" };
const erased = (reason: "settled" | "overdue"): ContactEvent => ({
  type: "ContactDetailsErased",
  data: { reason },
});
const expired: ContactEvent = { type: "ContactMessageExpired", data: {} };

describe("a visitor sends a message", () => {
  it("for the first time: it is recorded and acknowledged", () => {
    given([]).when(sends).then([received()]);
  });

  it("a third time today: it is acknowledged", () => {
    given([])
      .when({ ...sends, recentAcknowledgements: 2 })
      .then([received()]);
  });

  it("a fourth time today: it is recorded, and the address receives no further mail", () => {
    given([])
      .when({ ...sends, recentAcknowledgements: 3 })
      .then([received({ acknowledged: false })]);
  });

  it("faster than people type: it is recorded and not acknowledged", () => {
    given([])
      .when({ ...sends, suspected: true })
      .then([received({ suspected: true, acknowledged: false })]);
  });

  it("under the id of another message: it is refused, never lost silently", () => {
    given([received()]).when(sends).thenRefuses("already_received");
    given([received(), settled]).when(sends).thenRefuses("already_received");
  });
});

describe("support settles a matter", () => {
  it("and that is recorded, once", () => {
    given([received()]).when(settles).then([settled]);
    given([received(), settled]).when(settles).thenNothingChanges();
  });

  it("that was never received: it is refused", () => {
    given([]).when(settles).thenRefuses("not_received");
  });
});

const start = instantFromMs(Date.UTC(2026, 0, 5, 8));
const unsettledEnd = instantPlusMonths(start, contactLimits.unsettledMonths);
const settledEnd = instantPlusMonths(start, contactLimits.settledMonths);

/** A history that began at the start, seen later. */
const later = (now: typeof start, events: readonly ContactEvent[], command: ContactCommand) =>
  contactDecider.decide(command, stateOf(events), { now });
const stateOf = (events: readonly ContactEvent[]) =>
  stateAfter(
    contactDecider,
    events.map((event) => ({ event, stream: "contact-1", id: "1", occurredAt: start })),
  );

describe("the end of a message", () => {
  it("erases the details of a settled matter at once, and only once", () => {
    given([received(), settled])
      .when(erases)
      .then([erased("settled")]);
    given([received(), settled, erased("settled")])
      .when(erases)
      .thenNothingChanges();
    given([]).when(erases).thenRefuses("not_received");
  });

  it("erases the details of a matter that was never settled after 36 months, not before", () => {
    expect(later(instantPlus(unsettledEnd, -1), [received()], erases)).toEqual([]);
    expect(later(unsettledEnd, [received()], erases)).toEqual([erased("overdue")]);
  });

  it("is its expiry, 24 months after the matter was settled, with the erasure if that is missing", () => {
    const history = [received(), settled, erased("settled")];
    expect(later(instantPlus(settledEnd, -1), history, expires)).toEqual([]);
    expect(later(settledEnd, history, expires)).toEqual([expired]);
    expect(later(settledEnd, [...history, expired], expires)).toEqual([]);
    const both = [erased("overdue"), expired];
    expect(later(unsettledEnd, [received()], expires)).toEqual(both);
  });

  it("is due by timers that follow from its state", () => {
    const timersOf = (events: readonly ContactEvent[]) =>
      contactMessages.timers?.(stateOf(events), { id: "1" });
    const expiry = { name: expireMessageTimer, dueAt: settledEnd };
    const destruction = { name: destroyKeyTimer, dueAt: start };
    expect(timersOf([])).toEqual([]);
    expect(timersOf([received()])).toEqual([
      { name: eraseDetailsTimer, dueAt: unsettledEnd },
      { name: expireMessageTimer, dueAt: unsettledEnd },
    ]);
    const end = [settled, erased("settled"), expired];
    expect(timersOf([received(), settled])).toEqual([
      { name: eraseDetailsTimer, dueAt: start },
      expiry,
    ]);
    expect(timersOf([received(), settled, erased("settled")])).toEqual([destruction, expiry]);
    expect(timersOf([received(), ...end])).toEqual([destruction]);
  });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, contactEvents, contactDecider)).toEqual([]);
});
