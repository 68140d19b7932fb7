import { randomUUID } from "node:crypto";

import { Issue } from "../issue.ts";

/** An issue for weekly readers of updates, unless changed; every one has a slug of its own. */
export function sampleIssue(change: Partial<Issue> = {}): Issue {
  const letter = { preheader: "News", markdown: "Hello, [read on](/about)." };
  return Issue.parse({
    slug: `issue-${randomUUID()}`,
    topics: ["updates"],
    frequencies: ["weekly"],
    letters: { en: { ...letter, subject: "First" }, he: { ...letter, subject: "ראשון" } },
    ...change,
  });
}
