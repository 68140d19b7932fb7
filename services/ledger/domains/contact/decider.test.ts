import type { ContactEvent, ContactMessageReceived } from "@pro-talent/schemas/contact/events";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { contactEvents } from "./contact-messages.ts";
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

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, contactEvents, contactDecider)).toEqual([]);
});
