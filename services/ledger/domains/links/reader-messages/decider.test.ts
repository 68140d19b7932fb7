import type { ReaderMessageEvent } from "@pro-talent/schemas/portfolios/events";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../../kernel/testing/given.ts";
import { type ReaderMessageCommand, readerMessageDecider } from "./decider.ts";
import { readerMessageEvents } from "./reader-messages.ts";

describe("a message of a reader", () => {
  const given = specification(readerMessageDecider);
  const about = { accountId: "0b3e8a57-5a2b-4d7e-9f05-5b0c7d1e2f34", language: "en" } as const;
  const sends: ReaderMessageCommand = { type: "SendReaderMessage", ...about };
  const sent: ReaderMessageEvent = { type: "ReaderMessageSent", data: about };
  const erases: ReaderMessageCommand = { type: "EraseReaderMessage", reason: "delivered" };
  const erased: ReaderMessageEvent = { type: "ReaderMessageErased", data: { reason: "delivered" } };

  it("is sent once, and erased once", () => {
    given([]).when(sends).then([sent]);
    given([sent]).when(sends).thenRefuses("message_sent");
    given([sent]).when(erases).then([erased]);
    given([sent, erased]).when(erases).thenNothingChanges();
    given([]).when(erases).thenNothingChanges();
  });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, readerMessageEvents, readerMessageDecider)).toEqual([]);
});
