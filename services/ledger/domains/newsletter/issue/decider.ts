import type { IssueEvent } from "@pro-talent/schemas/newsletter/issue-events";

import { type Decider, type Refusal, refuse } from "../../../kernel/types.ts";

type Data<Type extends IssueEvent["type"]> = Extract<IssueEvent, { type: Type }>["data"];

export type IssueCommand =
  /** Sends an issue to all subscribers who asked for it. */
  | ({ readonly type: "ReleaseIssue" } & Data<"IssueReleased">)
  /** No delivery of the issue waits any longer. */
  | ({ readonly type: "ConcludeIssue" } & Data<"IssueDelivered">);

/** What is known about one issue. Its topics and frequencies are part of the hashed content. */
export type IssueState =
  | { readonly status: "none" }
  | { readonly status: "released" | "delivered"; readonly contentHash: string };

/** Another issue was released under this slug; none was released under it. */
export type IssueRefusalCode = "slug_taken" | "issue_unknown";

/**
 * An issue is released once and delivered once. Releasing the same issue again changes nothing;
 * another one under its slug is refused, because subscribers may have the first one already.
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
    case "ConcludeIssue": {
      const { type: _, ...data } = command;
      if (state.status === "none") return refuse("issue_unknown");
      return state.status === "delivered" ? [] : [{ type: "IssueDelivered", data }];
    }
  }
}

function evolve(state: IssueState, event: IssueEvent): IssueState {
  switch (event.type) {
    case "IssueReleased":
      return { status: "released", contentHash: event.data.contentHash };
    case "IssueDelivered":
      return state.status === "none" ? state : { ...state, status: "delivered" };
  }
}
