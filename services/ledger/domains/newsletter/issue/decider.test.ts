import type { IssueEvent } from "@pro-talent/schemas/newsletter/issue-events";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../../kernel/testing/given.ts";
import { type IssueCommand, issueDecider } from "./decider.ts";
import { issueEvents } from "./issues.ts";

const given = specification(issueDecider);

const about = {
  slug: "first-look",
  topics: ["updates" as const],
  frequencies: ["weekly" as const],
  contentHash: "a".repeat(64),
};
const counts = { sent: 3, skipped: 1, refused: 0 };
const release: IssueCommand = { type: "ReleaseIssue", ...about };
const conclude: IssueCommand = { type: "ConcludeIssue", ...counts };
const released: IssueEvent = { type: "IssueReleased", data: about };
const delivered: IssueEvent = { type: "IssueDelivered", data: counts };

describe("releasing an issue", () => {
  it("is recorded the first time", () => given([]).when(release).then([released]));

  it("again changes nothing: subscribers receive it once", () => {
    given([released]).when(release).thenNothingChanges();
    given([released, delivered]).when(release).thenNothingChanges();
  });

  it("under the slug of another issue is refused", () => {
    const other: IssueCommand = { ...release, contentHash: "b".repeat(64) };
    given([released]).when(other).thenRefuses("slug_taken");
    given([released, delivered]).when(other).thenRefuses("slug_taken");
  });
});

describe("an issue that the mail server refuses", () => {
  const answer = "EENVELOPE 554 5.7.1 at RCPT TO";
  const stop: IssueCommand = { type: "StopIssue", part: 2, answer };
  const resume: IssueCommand = { type: "ResumeIssue" };
  const stopped: IssueEvent = { type: "IssueStopped", data: { part: 2, answer } };
  const resumed: IssueEvent = { type: "IssueResumed", data: { part: 3 } };

  it("is stopped once, and never after it was delivered", () => {
    given([released]).when(stop).then([stopped]);
    given([released, stopped]).when(stop).thenNothingChanges();
    given([released, delivered]).when(stop).thenNothingChanges();
    given([]).when(stop).thenRefuses("issue_unknown");
  });

  it("continues with the next part, when it is stopped", () => {
    given([released, stopped]).when(resume).then([resumed]);
    given([released, stopped, resumed]).when(resume).thenNothingChanges();
    given([released]).when(resume).thenNothingChanges();
    given([]).when(resume).thenRefuses("issue_unknown");
  });

  it("can be stopped again, and released again changes nothing", () => {
    const again: IssueCommand = { ...stop, part: 3 };
    const stoppedAgain: IssueEvent = { type: "IssueStopped", data: { part: 3, answer } };
    given([released, stopped, resumed]).when(again).then([stoppedAgain]);
    given([released, stopped]).when(release).thenNothingChanges();
  });
});

describe("concluding an issue", () => {
  it("records the results of its deliveries, once", () => {
    given([released]).when(conclude).then([delivered]);
    given([released, delivered]).when(conclude).thenNothingChanges();
  });

  it("that was never released is refused", () => {
    given([]).when(conclude).thenRefuses("issue_unknown");
  });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, issueEvents, issueDecider)).toEqual([]);
});
