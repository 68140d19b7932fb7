import { z } from "zod";

import { IssueDelivered, IssueReleased } from "./issue-events.ts";

/** Sends an issue to everybody who wants it. */
export const ReleaseIssue = IssueReleased.shape.data.extend({ type: z.literal("ReleaseIssue") });
export type ReleaseIssue = z.infer<typeof ReleaseIssue>;

/** No letter of the issue waits any longer. */
export const ConcludeIssue = IssueDelivered.shape.data.extend({ type: z.literal("ConcludeIssue") });
export type ConcludeIssue = z.infer<typeof ConcludeIssue>;

export const IssueCommand = z.discriminatedUnion("type", [ReleaseIssue, ConcludeIssue]);
export type IssueCommand = z.infer<typeof IssueCommand>;
