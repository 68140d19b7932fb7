import type {
  LinkOpens,
  OpenMailPreference,
  OpenNoticeEvent,
} from "@pro-talent/schemas/links/mail-events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../../kernel/types.ts";

export type OpenNoticeCommand =
  | {
      readonly type: "ChoosePreference";
      readonly preference: OpenMailPreference;
      readonly hasAnalytics: boolean;
    }
  /** What was opened from the end of the last mail, or the choice of the preference, to `until`. */
  | {
      readonly type: "ReportOpens";
      readonly until: Instant;
      readonly links: readonly LinkOpens[];
      readonly hasAnalytics: boolean;
    }
  /** The account is closed. */
  | { readonly type: "EndNotices" };

export type OpenNoticeState = {
  readonly preference: OpenMailPreference;
  /** Where the next mail begins; null before the first. */
  readonly from: Instant | null;
  /** Links that a mail has named. */
  readonly named: ReadonlySet<string>;
  readonly ended: boolean;
};

export type OpenNoticeRefusalCode = "insights_not_included";
type Decision = readonly OpenNoticeEvent[] | Refusal<OpenNoticeRefusalCode>;

/** The mails about opens of one account: which are wanted, and what the next one names. */
export const openNoticeDecider: Decider<
  OpenNoticeState,
  OpenNoticeCommand,
  OpenNoticeEvent,
  OpenNoticeRefusalCode
> = {
  initialState: { preference: "first-open", from: null, named: new Set(), ended: false },
  decide,
  evolve,
};

function decide(command: OpenNoticeCommand, state: OpenNoticeState): Decision {
  if (state.ended) return [];
  switch (command.type) {
    case "ChoosePreference": {
      const { preference, hasAnalytics } = command;
      if (isDigest(preference) && !hasAnalytics) return refuse("insights_not_included");
      if (preference === state.preference) return [];
      return [{ type: "OpenMailPreferenceChosen", data: { preference } }];
    }
    case "ReportOpens": {
      const { until } = command;
      // A second look at the same time, for example after a kill, names nothing twice.
      if (state.from !== null && until <= state.from) return [];
      const links = linksToName(command, state);
      return links.length === 0 ? [] : [{ type: "OpenMailRequested", data: { until, links } }];
    }
    case "EndNotices":
      return [{ type: "OpenNoticesEnded", data: {} }];
  }
}

const isDigest = (preference: OpenMailPreference): boolean =>
  preference === "daily" || preference === "weekly";

/** Without analytics only the first open of all links is named, as the dashboard shows it. */
function linksToName(
  { links, hasAnalytics }: Extract<OpenNoticeCommand, { type: "ReportOpens" }>,
  { preference, named }: OpenNoticeState,
): LinkOpens[] {
  if (preference === "off") return [];
  const inOrder = links.toSorted((one, other) => (one.firstAt < other.firstAt ? -1 : 1));
  if (!hasAnalytics)
    return named.size > 0 ? [] : inOrder.slice(0, 1).map((link) => ({ ...link, opens: 1 }));
  return isDigest(preference) ? inOrder : inOrder.filter(({ linkId }) => !named.has(linkId));
}

function evolve(state: OpenNoticeState, event: OpenNoticeEvent, at: Instant): OpenNoticeState {
  switch (event.type) {
    case "OpenMailPreferenceChosen":
      return { ...state, preference: event.data.preference, from: at };
    case "OpenMailRequested": {
      const { until, links } = event.data;
      const named = new Set([...state.named, ...links.map(({ linkId }) => linkId)]);
      return { ...state, from: until, named };
    }
    case "OpenNoticesEnded":
      return { ...state, ended: true };
  }
}
