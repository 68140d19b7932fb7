import type { IssueEvent } from "@pro-talent/schemas/newsletter/issue-events";

import { type Decider, type Refusal, refuse } from "../../../kernel/types.ts";

type Data<Type extends IssueEvent["type"]> = Extract<IssueEvent, { type: Type }>["data"];

export type IssueCommand =
  /** Sends an issue to all subscribers who asked for it. */
  | ({ readonly type: "ReleaseIssue" } & Data<"IssueReleased">)
  /** The mail server refuses mail after mail for reasons of ours: no more is tried. */
  | ({ readonly type: "StopIssue" } & Data<"IssueStopped">)
  /** The cause was removed. */
  | { readonly type: "ResumeIssue" }
  /** No delivery of the issue waits any longer. */
  | ({ readonly type: "ConcludeIssue" } & Data<"IssueDelivered">);

/** What is known about one issue. Its topics and frequencies are part of the hashed content. */
export type IssueState =
  | { readonly status: "none" }
  | { readonly status: "released" | "delivered"; readonly contentHash: string }
  /** Stopped in a part of its delivery. */
  | { readonly status: "stopped"; readonly contentHash: string; readonly part: number };

/** Another issue was released under this slug; none was released under it. */
export type IssueRefusalCode = "slug_taken" | "issue_unknown";

/**
 * An issue is released once and delivered once; in between it can be stopped and resumed. Releasing the
 * same issue again changes nothing; another one under its slug is refused, because subscribers may have
 * the first one already.
 */
export const issueDecider: Decider<IssueState, IssueCommand, IssueEvent, IssueRefusalCode> = {
  initialState: { status: "none" },
  decide,
  evolve,
};

function decide(
  command: IssueCommand,
  state: IssueState,
): readonly IssueEvent[] | Refusal<IssueRefusalCode> {
  switch (command.type) {
    case "ReleaseIssue": {
      const { type: _, ...data } = command;
      if (state.status === "none") return [{ type: "IssueReleased", data }];
      return state.contentHash === data.contentHash ? [] : refuse("slug_taken");
    }
    case "StopIssue": {
      const { type: _, ...data } = command;
      if (state.status === "none") return refuse("issue_unknown");
      return state.status === "released" ? [{ type: "IssueStopped", data }] : [];
    }
    case "ResumeIssue":
      if (state.status === "none") return refuse("issue_unknown");
      return state.status === "stopped" ? [resumed(state.part)] : [];
    case "ConcludeIssue": {
      const { type: _, ...data } = command;
      if (state.status === "none") return refuse("issue_unknown");
      return state.status === "delivered" ? [] : [{ type: "IssueDelivered", data }];
    }
  }
}

const resumed = (part: number): IssueEvent => ({ type: "IssueResumed", data: { part: part + 1 } });

function evolve(state: IssueState, event: IssueEvent): IssueState {
  switch (event.type) {
    case "IssueReleased":
      return { status: "released", contentHash: event.data.contentHash };
    case "IssueStopped":
      if (state.status === "none") return state;
      return { status: "stopped", contentHash: state.contentHash, part: event.data.part };
    case "IssueResumed":
      if (state.status === "none") return state;
      return { status: "released", contentHash: state.contentHash };
    case "IssueDelivered":
      return state.status === "none"
        ? state
        : { status: "delivered", contentHash: state.contentHash };
  }
}
