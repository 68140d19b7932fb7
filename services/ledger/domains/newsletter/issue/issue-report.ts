import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { IssueStatus } from "./issue-status.ts";
import type { Issue } from "./issue.ts";

/** What an administrator is shown before an issue is sent. */
export function describeIssue(issue: Issue, recipients: Readonly<Record<Locale, number>>): string {
  const { slug, topics, frequencies, letters } = issue;
  return [
    `Issue ${slug}`,
    `  topics       ${topics.join(", ")}`,
    `  for readers  ${frequencies.join(", ")}`,
    `  en           ${letters.en.subject}`,
    `  he           ${letters.he.subject}`,
    `  recipients   ${recipients.en + recipients.he} (en ${recipients.en}, he ${recipients.he})`,
  ].join("\n");
}

/** One issue that was released, with how far it has come. */
export function describeStatus(status: IssueStatus): string {
  const { waiting, sent, skipped, refused } = status.letters;
  const how = status.delivered
    ? "delivered"
    : status.givenUp
      ? "given up; send it again to go on"
      : "on its way";
  return [
    `${status.slug}  ${status.releasedAt.toISOString()}  ${how}`,
    `  waiting ${waiting}, sent ${sent}, skipped ${skipped}, refused ${refused}`,
    `  unsubscribed since: ${status.unsubscribed}`,
  ].join("\n");
}
