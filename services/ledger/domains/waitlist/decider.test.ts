import type { Invitation, WaitlistEvent } from "@pro-talent/schemas/waitlist/events";
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

describe("a place is invited", () => {
  const invitation = (occasion: "beta" | "launch"): Invitation => ({
    invitationId: "0190d7a4-3c1e-7b6a-9d2f-1a2b3c4d5e6f",
    occasion,
    discountPercent: occasion === "launch" ? 20 : 0,
  });
  const invites = (occasion: "beta" | "launch"): WaitlistCommand => ({
    type: "InvitePlace",
    invitation: invitation(occasion),
  });
  const invited = (occasion: "beta" | "launch"): WaitlistEvent => ({
    type: "PlaceInvited",
    data: invitation(occasion),
  });
  const { invitationId } = invitation("beta");
  const passesOn: WaitlistCommand = { type: "RecordPassedOn", invitationId, accountId: null };
  const passedOn: WaitlistEvent = { type: "InvitationPassedOn", data: { invitationId } };

  it("once it is confirmed", () => {
    given([]).when(invites("beta")).thenRefuses("place_not_confirmed");
    given([requested]).when(invites("beta")).thenRefuses("place_not_confirmed");
    given([requested, confirmed])
      .when(invites("beta"))
      .then([invited("beta")]);
  });

  it("once on each occasion, also after the subscriber left and came back", () => {
    const before = [requested, confirmed, invited("beta")];
    given(before).when(invites("beta")).thenNothingChanges();
    given(before)
      .when(invites("launch"))
      .then([invited("launch")]);
    const back = [...before, released, requested, confirmed];
    given(back).when(invites("beta")).thenNothingChanges();
  });

  it("and the invitation passed on once; one that was released before is not", () => {
    const before = [requested, confirmed, invited("beta")];
    given(before).when(passesOn).then([passedOn]);
    given([...before, passedOn])
      .when(passesOn)
      .thenNothingChanges();
    given([...before, released])
      .when(passesOn)
      .thenNothingChanges();
  });

  it("and has an account already: it is recorded once, with the discount for the account", () => {
    const accountId = "0190d7a4-3c1e-7b6a-9d2f-1a2b3c4d5e70";
    const before = [requested, confirmed, invited("launch")];
    const finds: WaitlistCommand = { type: "RecordPassedOn", invitationId, accountId };
    const found: WaitlistEvent = {
      type: "AccountFound",
      data: { invitationId, discountPercent: 20, accountId },
    };
    given(before).when(finds).then([found]);
    given([...before, found])
      .when(finds)
      .thenNothingChanges();
    given([...before, found])
      .when(passesOn)
      .thenNothingChanges();
  });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, waitlistEvents, waitlistDecider)).toEqual([]);
});
