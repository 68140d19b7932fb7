import type { LinkDescribed, LinkEvent } from "@pro-talent/schemas/links/events";
import type { ReportReason } from "@pro-talent/schemas/links/report-reasons";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";

/** What the link is from now on; its words are sealed beside the command. */
type Description = LinkDescribed["data"];

/** By the owner: refused as unknown when the link belongs to another account. */
type OwnerCommand = { readonly accountId: string } & (
  | { readonly type: "DescribeLink"; readonly description: Description }
  | { readonly type: "RevokeLink" }
  | { readonly type: "RestoreLink" }
  | { readonly type: "DeleteLink" }
);

export type LinkCommand =
  | {
      readonly type: "CreateLink";
      readonly accountId: string;
      readonly custom: boolean;
      readonly description: Description;
    }
  | OwnerCommand
  /** By a visitor. */
  | { readonly type: "ReportLink"; readonly reason: ReportReason }
  /** By an administrator. */
  | { readonly type: "TakeDownLink"; readonly reason: ReportReason }
  | { readonly type: "ReinstateLink" }
  /** The account of the owner is gone. */
  | { readonly type: "EraseLink" };

type KnownLink = {
  readonly accountId: string;
  readonly description: Description;
  readonly createdAt: Instant;
  /** By the owner. */
  readonly revoked: boolean;
  /** By an administrator. */
  readonly takenDown: boolean;
  readonly reports: number;
};

/** An erased link keeps its stream, so that its code is never given out again. */
export type LinkState =
  | { readonly status: "none" }
  | ({ readonly status: "held" } & KnownLink)
  | { readonly status: "erased"; readonly at: Instant; readonly fileId: string | null };

export type LinkRefusalCode = "code_taken" | "link_not_found" | "link_taken_down" | "expiry_past";

/** Reports of one link that are recorded; more change nothing that an administrator sees. */
const reportsMax = 50;

/** One link: what it leads to, whether it opens, and what was reported about it. */
export const linkDecider: Decider<LinkState, LinkCommand, LinkEvent, LinkRefusalCode> = {
  initialState: { status: "none" },
  decide,
  evolve,
};

type Decision = readonly LinkEvent[] | Refusal<LinkRefusalCode>;
type Now = { readonly now: Instant };

function decide(command: LinkCommand, state: LinkState, { now }: Now): Decision {
  if (command.type === "CreateLink") {
    if (state.status !== "none") return refuse("code_taken");
    const { accountId, custom, description } = command;
    if (isPast(description, now)) return refuse("expiry_past");
    return [
      { type: "LinkCreated", data: { accountId, custom } },
      { type: "LinkDescribed", data: description },
    ];
  }
  if (state.status !== "held") return command.type === "EraseLink" ? [] : refuse("link_not_found");
  if ("accountId" in command && command.accountId !== state.accountId)
    return refuse("link_not_found");
  return decideHeld(command, state, now);
}

function decideHeld(
  command: Exclude<LinkCommand, { type: "CreateLink" }>,
  { revoked, takenDown, reports, description }: KnownLink,
  now: Instant,
): Decision {
  switch (command.type) {
    case "DescribeLink": {
      const changed = command.description.expiresAt !== description.expiresAt;
      if (changed && isPast(command.description, now)) return refuse("expiry_past");
      return [{ type: "LinkDescribed", data: command.description }];
    }
    case "RevokeLink":
      return revoked ? [] : [{ type: "LinkRevoked", data: {} }];
    case "RestoreLink":
      if (takenDown) return refuse("link_taken_down");
      return revoked ? [{ type: "LinkRestored", data: {} }] : [];
    case "DeleteLink":
      return [{ type: "LinkErased", data: { reason: "deleted" } }];
    case "ReportLink":
    case "TakeDownLink":
    case "ReinstateLink":
      return decideReported(command, { takenDown, reports });
    case "EraseLink":
      return [{ type: "LinkErased", data: { reason: "account-closed" } }];
  }
}

function decideReported(
  command: Extract<LinkCommand, { type: "ReportLink" | "TakeDownLink" | "ReinstateLink" }>,
  { takenDown, reports }: Pick<KnownLink, "takenDown" | "reports">,
): Decision {
  switch (command.type) {
    case "ReportLink":
      if (reports >= reportsMax) return [];
      return [{ type: "LinkReported", data: { reason: command.reason } }];
    case "TakeDownLink":
      return takenDown ? [] : [{ type: "LinkTakenDown", data: { reason: command.reason } }];
    case "ReinstateLink":
      return takenDown ? [{ type: "LinkReinstated", data: {} }] : [];
  }
}

const isPast = ({ expiresAt }: Description, now: Instant): boolean =>
  expiresAt !== null && expiresAt <= now;

function evolve(state: LinkState, event: LinkEvent, at: Instant): LinkState {
  if (event.type === "LinkCreated") {
    const description = {
      target: "profile",
      fileId: null,
      locked: false,
      expiresAt: null,
    } as const;
    const { accountId } = event.data;
    const fresh = { revoked: false, takenDown: false, reports: 0 };
    return { status: "held", accountId, description, createdAt: at, ...fresh };
  }
  if (state.status !== "held") return state;
  switch (event.type) {
    case "LinkDescribed":
      return { ...state, description: event.data };
    case "LinkRevoked":
      return { ...state, revoked: true };
    case "LinkRestored":
      return { ...state, revoked: false };
    case "LinkReported":
      return { ...state, reports: state.reports + 1 };
    case "LinkTakenDown":
      return { ...state, takenDown: true };
    case "LinkReinstated":
      return { ...state, takenDown: false };
    case "LinkErased":
      return { status: "erased", at, fileId: state.description.fileId };
  }
}
