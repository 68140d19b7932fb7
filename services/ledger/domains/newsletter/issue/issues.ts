import { IssueEvent } from "@pro-talent/schemas/newsletter/issue-events";
import { v5 as uuidV5 } from "uuid";

import {
  type CommandContext,
  type CommandResult,
  type Ledger,
  runCommand,
  type StreamDefinition,
} from "../../../kernel/commands.ts";
import { defineEvents } from "../../../kernel/events.ts";
import { column, readModel } from "../../../kernel/read-model.ts";
import { loadState } from "../../../kernel/streams.ts";
import {
  type IssueCommand,
  issueDecider,
  type IssueRefusalCode,
  type IssueState,
} from "./decider.ts";
import { countDeliveries, storeContent } from "./delivery-store.ts";
import { contentHashOf, type Issue, issueText } from "./issue.ts";

/** The events of one issue. */
export const issueEvents = defineEvents("issue", IssueEvent);

/** The message that requests the delivery of a part of an issue. */
export const deliverIssueMessage = "newsletter.deliver-issue";

/** Namespace of issue ids: drawn at random once, fixed for ever. */
const issueNamespace = "3c1d9a52-70e4-4b6f-a8a5-0f6f0be2d7c9";

/** An issue's id follows from its slug: that is why a slug is released once and never again. */
export function issueIdOf(slug: string): string {
  return uuidV5(slug, issueNamespace);
}

/** Released issues. Written with the append: the delivery that follows from it reads them. */
export const newsletterIssues = readModel({
  table: "newsletter_issue",
  version: 1,
  mode: "inline",
  purpose: "Released issues",
  retention: "As long as the events that it is built from",
  events: issueEvents,
  key: { issue_id: column.uuid("operational", "Names the issue") },
  columns: {
    slug: column.text("content", "The administrator's name for it"),
    topics: column.texts("content", "What it is about"),
    frequencies: column.texts("operational", "Subscribers of which frequency it is for"),
    content_hash: column.text("operational", "Names the stored content"),
  },
  evolve: (row, { event: { type, data } }) => {
    if (type !== "IssueReleased") return row;
    const { contentHash: content_hash, ...released } = data;
    return { ...released, content_hash };
  },
  indexes: [{ on: "(slug)", unique: true }],
});

/** The part of the delivery that an event requests. */
function partThatFollows(event: IssueEvent): number | undefined {
  if (event.type === "IssueReleased") return 1;
  return event.type === "IssueResumed" ? event.data.part : undefined;
}

/** Commands lead to the delivery, part after part. */
export const issues: StreamDefinition<IssueState, IssueCommand, IssueEvent, IssueRefusalCode> = {
  events: issueEvents,
  decider: issueDecider,
  durableWith: "each append",
  reply: (state) => ({ status: state.status }),
  otherMessages: [deliverIssueMessage],
  effects: ({ id: issueId, events }) => ({
    messages: events.flatMap((event) => {
      const part = partThatFollows(event);
      return part === undefined ? [] : [{ name: deliverIssueMessage, payload: { issueId, part } }];
    }),
  }),
};

/**
 * Releases an issue: its content is stored first, then one append records the release and requests its
 * delivery. Repeated with the same content, it answers the same and changes nothing.
 */
export async function releaseIssue(
  ledger: Ledger,
  issue: Issue,
  context: CommandContext,
): Promise<CommandResult<IssueRefusalCode>> {
  const { slug, topics, frequencies } = issue;
  const text = issueText(issue);
  const contentHash = contentHashOf(text);
  await storeContent(ledger.sql, text);
  const id = issueIdOf(slug);
  return await runCommand(ledger, issues, {
    ...context,
    id,
    commandId: uuidV5(`release ${contentHash}`, id),
    command: { type: "ReleaseIssue", slug, topics, frequencies, contentHash },
    body: { release: contentHash },
  });
}

/** Whether the delivery of an issue is stopped. */
export async function isStopped({ sql }: Ledger, id: string): Promise<boolean> {
  return (await loadState(sql, issues, id)).state.status === "stopped";
}

const plain = /^[\w .-]{1,100}$/;

/** Stops the delivery in one of its parts, with the mail server's last answer. May be repeated. */
export async function stopIssue(
  ledger: Ledger,
  id: string,
  { part, answer, ...context }: CommandContext & { readonly part: number; readonly answer: string },
): Promise<CommandResult<IssueRefusalCode>> {
  return await runCommand(ledger, issues, {
    ...context,
    id,
    commandId: uuidV5(`stop ${part}`, id),
    command: { type: "StopIssue", part, answer: plain.test(answer) ? answer : "unknown" },
    body: { stop: part },
  });
}

/** Continues a delivery that was stopped; nothing changes for any other. */
export async function resumeStopped(
  ledger: Ledger,
  id: string,
  context: CommandContext,
): Promise<CommandResult<IssueRefusalCode>> {
  return await runCommand(ledger, issues, {
    ...context,
    id,
    command: { type: "ResumeIssue" },
    body: { resume: id },
  });
}

/** Records the results of an issue's deliveries, when none waits any longer. May be repeated. */
export async function concludeIssue(
  ledger: Ledger,
  id: string,
  context: CommandContext,
): Promise<CommandResult<IssueRefusalCode>> {
  const { sent, skipped, refused } = await countDeliveries(ledger.sql, id);
  return await runCommand(ledger, issues, {
    ...context,
    id,
    commandId: uuidV5("conclude", id),
    command: { type: "ConcludeIssue", sent, skipped, refused },
    body: { conclude: id },
  });
}
