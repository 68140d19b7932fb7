import type { IssueCommand } from "@pro-talent/schemas/newsletter/issue-commands";
import type { IssueEvent } from "@pro-talent/schemas/newsletter/issue-events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { v5 as uuidV5 } from "uuid";

import type { EventStore } from "../event-store/event-store.ts";
import {
  type CommandAnswer,
  type CommandHandler,
  handleCommand,
  type StoreRefusalCode,
} from "../event-store/handle-command.ts";
import type { Refusal } from "../event-store/types.ts";
import { issueDecider, type IssueRefusalCode, type IssueState } from "./decider.ts";
import { countLetters, keepContent } from "./delivery-store.ts";
import { issueEvents, issueIdOf, issueOf, issueStream } from "./issue-events.ts";
import { contentHashOf, type Issue, issueText } from "./issue.ts";
import { releasedIssues } from "./released-issue.projection.ts";

/** The message that asks for the delivery of a part of an issue. */
export const deliverIssueMessage = "newsletter.deliver-issue";

type Outcome = CommandAnswer | Refusal<IssueRefusalCode | StoreRefusalCode>;

const handler: CommandHandler<IssueState, IssueCommand, IssueEvent, IssueRefusalCode> = {
  decider: issueDecider,
  family: issueEvents,
  inline: [releasedIssues],
  reply: (state) => ({ status: state.status }),
  effects: ({ stream, events }) => ({
    messages: events
      .filter((event) => event.type === "IssueReleased")
      .map(() => ({
        name: deliverIssueMessage,
        payload: { issueId: issueOf(stream), part: 1 },
      })),
  }),
};

/**
 * Releases an issue: what was written is kept first, then one append says that it is released and
 * asks for its delivery. Repeated with the same content, it answers the same and does nothing.
 */
export async function releaseIssue(
  store: EventStore,
  issue: Issue,
  now: Instant,
): Promise<Outcome> {
  const { slug, topics, frequencies } = issue;
  const text = issueText(issue);
  const contentHash = contentHashOf(text);
  await keepContent(store.sql, text);
  const issueId = issueIdOf(slug);
  return await handleCommand(store, handler, {
    commandId: uuidV5(`release ${contentHash}`, issueId),
    stream: issueStream(issueId),
    command: { type: "ReleaseIssue", slug, topics, frequencies, contentHash },
    body: { release: contentHash },
    now,
  });
}

/** Records what became of an issue's letters, when none waits any longer. May be repeated. */
export async function concludeIssue(
  store: EventStore,
  issueId: string,
  now: Instant,
): Promise<Outcome> {
  const { sent, skipped, refused } = await countLetters(store.sql, issueId);
  return await handleCommand(store, handler, {
    commandId: uuidV5("conclude", issueId),
    stream: issueStream(issueId),
    command: { type: "ConcludeIssue", sent, skipped, refused },
    body: { conclude: issueId },
    now,
  });
}
