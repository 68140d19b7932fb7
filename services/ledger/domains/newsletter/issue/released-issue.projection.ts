import type { IssueEvent } from "@pro-talent/schemas/newsletter/issue-events";

import type { Projection } from "../event-store/projection.ts";
import { issueEvents, issueOf } from "./issue-events.ts";

/** Released issues. Written with the append: the delivery that follows from it reads them. */
export const releasedIssues: Projection<IssueEvent> = {
  name: "newsletter_issue",
  mode: "inline",
  family: issueEvents,
  tables: { newsletter_issue: ["issue_id"] },
  evolve: ({ event, stream }) =>
    event.type === "IssueReleased"
      ? [
          {
            table: "newsletter_issue",
            put: {
              issue_id: issueOf(stream),
              slug: event.data.slug,
              topics: event.data.topics.join(","),
              frequencies: event.data.frequencies.join(","),
              content_hash: event.data.contentHash,
            },
          },
        ]
      : [],
};
