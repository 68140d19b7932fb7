import type { OpenMailPreference, OpenNoticeEvent } from "@pro-talent/schemas/links/mail-events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { describe, it } from "vitest";

import { specification } from "../../../kernel/testing/given.ts";
import { type OpenNoticeCommand, openNoticeDecider } from "./decider.ts";

const day = (number: number) => instantFromMs(Date.UTC(2026, 0, number));
const given = specification(openNoticeDecider, day(5));

const link = (last: number, opened: number, opens = 3) => ({
  linkId: `00000000-0000-4000-8000-00000000000${last}`,
  opens,
  firstAt: day(opened),
});
const chosen = (preference: OpenMailPreference): OpenNoticeEvent => ({
  type: "OpenMailPreferenceChosen",
  data: { preference },
});
const requested = (until: number, ...links: ReturnType<typeof link>[]): OpenNoticeEvent => ({
  type: "OpenMailRequested",
  data: { until: day(until), links },
});
const report = (
  until: number,
  links: ReturnType<typeof link>[],
  hasAnalytics = true,
): OpenNoticeCommand => ({ type: "ReportOpens", until: day(until), links, hasAnalytics });
const ended: OpenNoticeEvent = { type: "OpenNoticesEnded", data: {} };

describe("mails about opens", () => {
  it("name each link once, at its first open, unless the owner chose otherwise", () => {
    given([])
      .when(report(7, [link(1, 6)]))
      .then([requested(7, link(1, 6))]);
    given([requested(7, link(1, 6))])
      .when(report(9, [link(1, 8), link(2, 8)]))
      .then([requested(9, link(2, 8))]);
  });

  it("name only the first open of all links without analytics", () => {
    given([])
      .when(report(8, [link(2, 7), link(1, 6)], false))
      .then([requested(8, link(1, 6, 1))]);
    given([requested(7, link(1, 6, 1))])
      .when(report(9, [link(2, 8)], false))
      .thenNothingChanges();
  });

  it("are one digest of all that was opened, also after days without an answer", () => {
    given([chosen("daily"), requested(7, link(1, 6))])
      .when(report(10, [link(2, 9), link(1, 8)]))
      .then([requested(10, link(1, 8), link(2, 9))]);
  });

  it("are not repeated when the same time is looked at again", () => {
    given([chosen("daily"), requested(7, link(1, 6))])
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
