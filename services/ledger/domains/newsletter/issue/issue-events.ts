import { IssueEvent } from "@pro-talent/schemas/newsletter/issue-events";
import { v5 as uuidV5 } from "uuid";

import type { EventFamily } from "../event-store/event-registry.ts";

const category = "issue";

/** Namespace of issue ids: drawn at random once, fixed for ever. */
const issueNamespace = "3c1d9a52-70e4-4b6f-a8a5-0f6f0be2d7c9";

/** Every event of an issue's stream, all in their first version. */
export const issueEvents: EventFamily<IssueEvent> = {
  category,
  contract: IssueEvent,
  upcasts: { IssueReleased: [], IssueDelivered: [] },
};

/** An issue's id follows from its slug: that is why a slug is released once and never again. */
export function issueIdOf(slug: string): string {
  return uuidV5(slug, issueNamespace);
}

export function issueStream(issueId: string): string {
  return `${category}-${issueId}`;
}

/** The issue whose events a stream holds. */
export function issueOf(stream: string): string {
  return stream.slice(category.length + 1);
}
