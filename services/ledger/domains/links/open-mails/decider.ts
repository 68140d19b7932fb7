import type {
  LinkOpens,
  OpenMailPreference,
  OpenMailEvent,
} from "@pro-talent/schemas/links/mail-events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../../kernel/types.ts";

export type OpenMailCommand =
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
  | { readonly type: "EndMails" };

export type OpenMailState = {
  readonly preference: OpenMailPreference;
  /** Where the next mail begins; null before the first. */
  readonly from: Instant | null;
  /** Links that a mail has named. */
  readonly named: ReadonlySet<string>;
  readonly ended: boolean;
};

export type OpenMailRefusalCode = "insights_not_included";
type Decision = readonly OpenMailEvent[] | Refusal<OpenMailRefusalCode>;

/** The mails about opens of one account: which are wanted, and what the next one names. */
export const openMailDecider: Decider<
  OpenMailState,
  OpenMailCommand,
  OpenMailEvent,
  OpenMailRefusalCode
> = {
  initialState: { preference: "first-open", from: null, named: new Set(), ended: false },
  decide,
  evolve,
};

function decide(command: OpenMailCommand, state: OpenMailState): Decision {
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
      const isDigestMail = isDigest(state.preference) && command.hasAnalytics;
      const kind = isDigestMail ? "digest" : "first-open";
      return links.length === 0
        ? []
        : [{ type: "OpenMailRequested", data: { kind, until, links } }];
    }
    case "EndMails":
      return [{ type: "OpenMailsEnded", data: {} }];
  }
}

export const isDigest = (preference: OpenMailPreference): boolean =>
  preference === "daily" || preference === "weekly";

/** Without analytics only the first open of all links is named, as the dashboard shows it. */
function linksToName(
  { links, hasAnalytics }: Extract<OpenMailCommand, { type: "ReportOpens" }>,
  { preference, named }: OpenMailState,
): LinkOpens[] {
  if (preference === "off") return [];
  const inOrder = links.toSorted((one, other) => (one.firstAt < other.firstAt ? -1 : 1));
  if (!hasAnalytics)
    return named.size > 0 ? [] : inOrder.slice(0, 1).map((link) => ({ ...link, opens: 1 }));
  return isDigest(preference) ? inOrder : inOrder.filter(({ linkId }) => !named.has(linkId));
}

function evolve(state: OpenMailState, event: OpenMailEvent, at: Instant): OpenMailState {
  switch (event.type) {
    case "OpenMailPreferenceChosen":
      return { ...state, preference: event.data.preference, from: at };
    case "OpenMailRequested": {
      const { until, links } = event.data;
      const named = new Set([...state.named, ...links.map(({ linkId }) => linkId)]);
      return { ...state, from: until, named };
    }
    case "OpenMailsEnded":
      return { ...state, ended: true };
  }
}
