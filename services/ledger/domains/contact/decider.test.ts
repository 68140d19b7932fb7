import type { SendContactMessage, SettleContactMatter } from "@pro-talent/schemas/contact/commands";
import type {
  ContactMatterSettled,
  ContactMessageReceived,
} from "@pro-talent/schemas/contact/events";
import { describe, it } from "vitest";

import { specification } from "../event-store/testing/given.ts";
import { contactDecider } from "./decider.ts";

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

const settles: SettleContactMatter = { type: "SettleContactMatter" };
const settled: ContactMatterSettled = { type: "ContactMatterSettled", data: {} };

describe("somebody writes", () => {
  it("and the message is kept and acknowledged", () => {
    given([]).when(sends).then([received()]);
  });

  it("a third time today: it is acknowledged", () => {
    given([])
      .when({ ...sends, recentAcknowledgements: 2 })
      .then([received()]);
  });

  it("a fourth time today: it is kept, and the mailbox is left in peace", () => {
    given([])
      .when({ ...sends, recentAcknowledgements: 3 })
      .then([received({ acknowledged: false })]);
  });

  it("faster than people write: it is kept, and nobody is written to", () => {
    given([])
      .when({ ...sends, suspected: true })
      .then([received({ suspected: true, acknowledged: false })]);
  });

  it("where a message is already: it is refused, never lost silently", () => {
    given([received()]).when(sends).thenRefuses("already_received");
    given([received(), settled]).when(sends).thenRefuses("already_received");
  });
});

describe("support has done with a matter", () => {
  it("and that is noted, once", () => {
    given([received()]).when(settles).then([settled]);
    given([received(), settled]).when(settles).thenStaysQuiet();
  });

  it("that never came: it is refused", () => {
    given([]).when(settles).thenRefuses("not_received");
  });
});
