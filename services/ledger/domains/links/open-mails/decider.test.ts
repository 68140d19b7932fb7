import type { OpenMailPreference, OpenMailEvent } from "@pro-talent/schemas/links/mail-events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../../kernel/testing/given.ts";
import { type OpenMailCommand, openMailDecider } from "./decider.ts";
import { openMailEvents } from "./open-mails.ts";

const day = (number: number) => instantFromMs(Date.UTC(2026, 0, number));
const given = specification(openMailDecider, day(5));

const link = (last: number, opened: number, opens = 3) => ({
  linkId: `00000000-0000-4000-8000-00000000000${last}`,
  opens,
  firstAt: day(opened),
});
const chosen = (preference: OpenMailPreference): OpenMailEvent => ({
  type: "OpenMailPreferenceChosen",
  data: { preference },
});
type Links = readonly ReturnType<typeof link>[];
const firstOpens = (until: number, ...links: Links): OpenMailEvent => ({
  type: "OpenMailRequested",
  data: { kind: "first-open", until: day(until), links: [...links] },
});
const digest = (until: number, ...links: Links): OpenMailEvent => ({
  type: "OpenMailRequested",
  data: { kind: "digest", until: day(until), links: [...links] },
});
const report = (
  until: number,
  links: ReturnType<typeof link>[],
  hasAnalytics = true,
): OpenMailCommand => ({ type: "ReportOpens", until: day(until), links, hasAnalytics });
const ended: OpenMailEvent = { type: "OpenMailsEnded", data: {} };

describe("mails about opens", () => {
  it("name each link once, at its first open, unless the owner chose otherwise", () => {
    given([])
      .when(report(7, [link(1, 6)]))
      .then([firstOpens(7, link(1, 6))]);
    given([firstOpens(7, link(1, 6))])
      .when(report(9, [link(1, 8), link(2, 8)]))
      .then([firstOpens(9, link(2, 8))]);
  });

  it("name only the first open of all links without analytics", () => {
    given([])
      .when(report(8, [link(2, 7), link(1, 6)], false))
      .then([firstOpens(8, link(1, 6, 1))]);
    given([firstOpens(7, link(1, 6, 1))])
      .when(report(9, [link(2, 8)], false))
      .thenNothingChanges();
  });

  it("are one digest of all that was opened, also after days without an answer", () => {
    given([chosen("daily"), firstOpens(7, link(1, 6))])
      .when(report(10, [link(2, 9), link(1, 8)]))
      .then([digest(10, link(1, 8), link(2, 9))]);
  });

  it("are not repeated when the same time is looked at again", () => {
    given([chosen("daily"), firstOpens(7, link(1, 6))])
      .when(report(7, [link(1, 6)]))
      .thenNothingChanges();
  });

  it("are not sent when nothing was opened, when they are off, or after the account closed", () => {
    given([chosen("weekly")])
      .when(report(7, []))
      .thenNothingChanges();
    given([chosen("off")])
      .when(report(7, [link(1, 6)]))
      .thenNothingChanges();
    given([ended])
      .when(report(7, [link(1, 6)]))
      .thenNothingChanges();
  });

  it("are digests only with analytics", () => {
    const choose = (preference: OpenMailPreference, hasAnalytics: boolean) =>
      ({ type: "ChoosePreference", preference, hasAnalytics }) as const;
    given([]).when(choose("daily", false)).thenRefuses("insights_not_included");
    given([])
      .when(choose("daily", true))
      .then([chosen("daily")]);
    given([chosen("off")])
      .when(choose("first-open", false))
      .then([chosen("first-open")]);
    given([]).when(choose("first-open", true)).thenNothingChanges();
  });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, openMailEvents, openMailDecider)).toEqual([]);
});
