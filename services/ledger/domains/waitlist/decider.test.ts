import type { WaitlistEvent } from "@pro-talent/schemas/waitlist/events";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { type WaitlistCommand, waitlistDecider } from "./decider.ts";
import { waitlistEvents } from "./places.ts";

const given = specification(waitlistDecider);

const requests: WaitlistCommand = { type: "RequestPlace" };
const confirms: WaitlistCommand = { type: "ConfirmPlace" };
const releases: WaitlistCommand = { type: "ReleasePlace" };

const requested: WaitlistEvent = { type: "PlaceRequested", data: {} };
const confirmed: WaitlistEvent = { type: "PlaceConfirmed", data: {} };
const released: WaitlistEvent = { type: "PlaceReleased", data: {} };

describe("a place is requested", () => {
  it("for the first time: it is recorded", () => {
    given([]).when(requests).then([requested]);
  });

  it("again: the first request counts, also after its confirmation", () => {
    given([requested]).when(requests).thenNothingChanges();
    given([requested, confirmed]).when(requests).thenNothingChanges();
  });

  it("after it was released: it is a new request, which is confirmed anew", () => {
    given([requested, confirmed, released]).when(requests).then([requested]);
    given([requested, confirmed, released, requested]).when(confirms).then([confirmed]);
  });
});

describe("a place is confirmed", () => {
  it("once", () => {
    given([requested]).when(confirms).then([confirmed]);
    given([requested, confirmed]).when(confirms).thenNothingChanges();
  });

  it("without a request: nothing changes, the address was not for the waitlist", () => {
    given([]).when(confirms).thenNothingChanges();
    given([requested, released]).when(confirms).thenNothingChanges();
  });
});

describe("a place is released", () => {
  it("whether it was confirmed or not", () => {
    given([requested]).when(releases).then([released]);
    given([requested, confirmed]).when(releases).then([released]);
  });

  it("by mistake: it is restored as it was, unless it was requested again", () => {
    const restores = (asConfirmed: boolean): WaitlistCommand => ({
      type: "RestorePlace",
      confirmed: asConfirmed,
    });
    given([requested, confirmed, released]).when(restores(true)).then([requested, confirmed]);
    given([requested, released]).when(restores(false)).then([requested]);
    given([requested, released, requested]).when(restores(true)).thenNothingChanges();
  });

  it("where there is none: nothing changes", () => {
    given([]).when(releases).thenNothingChanges();
    given([requested, released]).when(releases).thenNothingChanges();
  });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, waitlistEvents, waitlistDecider)).toEqual([]);
});
