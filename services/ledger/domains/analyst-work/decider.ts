import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import type { SavedKind, sharingRoles } from "@pro-talent/schemas/analysts/saved-work";
import type { SavedWorkEvent } from "@pro-talent/schemas/analysts/work-events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";

type SharingRole = (typeof sharingRoles)[number];
/** Who asks, with the roles of the account. */
export type Asking = { readonly accountId: string; readonly roles: readonly string[] };

/** What is written is sealed beside the command. */
export type SavedWorkCommand =
  | ({ readonly by: Asking } & (
      | { readonly type: "CreateWork"; readonly kind: SavedKind }
      | {
          readonly type: "SaveVersion";
          readonly kind: SavedKind;
          readonly expectedVersion: number;
        }
      | { readonly type: "RenameWork" }
      | { readonly type: "ShareWork"; readonly sharedWith: readonly SharingRole[] }
      | { readonly type: "ArchiveWork" }
      | { readonly type: "RestoreWork" }
    ))
  /** The account of its owner is deleted. */
  | { readonly type: "PartWithOwner"; readonly ownerId: string };

type Held = {
  readonly status: "held";
  readonly kind: SavedKind;
  /** Null once it was handed over. */
  readonly ownerId: string | null;
  readonly sharedWith: readonly SharingRole[];
  readonly version: number;
  readonly isArchived: boolean;
};
export type SavedWorkState =
  | { readonly status: "none" }
  | Held
  | { readonly status: "erased"; readonly at: Instant };

export type SavedWorkRefusal =
  | "work_not_found"
  | "work_not_yours"
  | "work_changed"
  | "work_archived"
  | "work_full";

/** Whether an account may see work: its own, and what is shared with one of its roles. */
export const maySee = (
  { ownerId, sharedWith }: Pick<Held, "ownerId" | "sharedWith">,
  { accountId, roles }: Asking,
): boolean => ownerId === accountId || sharedWith.some((role) => roles.includes(role));

/**
 * Work is private until it is shared, and written by its owner alone. When the account of its owner is deleted, what is
 * private is erased, and what is shared stays with those roles: the one who writes it next becomes its owner.
 */
export const savedWorkDecider: Decider<
  SavedWorkState,
  SavedWorkCommand,
  SavedWorkEvent,
  SavedWorkRefusal
> = {
  initialState: { status: "none" },
  decide: (command, state) => {
    if (command.type === "PartWithOwner") return part(state, command.ownerId);
    if (command.type === "CreateWork") {
      if (state.status !== "none") return refuse("work_not_found");
      const { kind, by } = command;
      return [{ type: "WorkSaved", data: { kind, version: 1, ownerId: by.accountId } }];
    }
    if (state.status !== "held" || !maySee(state, command.by)) return refuse("work_not_found");
    const isWriter = state.ownerId === null || state.ownerId === command.by.accountId;
    return isWriter ? change(command, state) : refuse("work_not_yours");
  },
  evolve: (state, { type, data }, at) => {
    if (type === "WorkSaved") {
      const before = state.status === "held" ? state : { sharedWith: [], isArchived: false };
      return { ...before, status: "held", ...data };
    }
    if (state.status !== "held") return state;
    switch (type) {
      case "WorkRenamed":
        return state;
      case "WorkShared":
        return { ...state, sharedWith: data.sharedWith };
      case "WorkArchived":
        return { ...state, isArchived: true };
      case "WorkRestored":
        return { ...state, isArchived: false };
      case "WorkHandedOver":
        return { ...state, ownerId: null };
      case "WorkErased":
        return { status: "erased", at };
    }
  },
};

function part(state: SavedWorkState, ownerId: string): SavedWorkEvent[] {
  if (state.status !== "held" || state.ownerId !== ownerId) return [];
  return [{ type: state.sharedWith.length === 0 ? "WorkErased" : "WorkHandedOver", data: {} }];
}

type Change = Exclude<SavedWorkCommand, { type: "PartWithOwner" | "CreateWork" }>;

function change(command: Change, state: Held): SavedWorkEvent[] | Refusal<SavedWorkRefusal> {
  if (command.type === "ArchiveWork")
    return state.isArchived ? [] : [{ type: "WorkArchived", data: {} }];
  if (command.type === "RestoreWork")
    return state.isArchived ? [{ type: "WorkRestored", data: {} }] : [];
  if (state.isArchived) return refuse("work_archived");
  switch (command.type) {
    case "RenameWork":
      return [{ type: "WorkRenamed", data: {} }];
    case "ShareWork": {
      const sharedWith = [...command.sharedWith];
      const isSame = sharedWith.join() === state.sharedWith.join();
      // Work of no one that is shared with no one could not be found any more.
      if (state.ownerId === null && sharedWith.length === 0) return refuse("work_not_yours");
      return isSame ? [] : [{ type: "WorkShared", data: { sharedWith } }];
    }
    case "SaveVersion":
      return save(command, state);
  }
}

function save(
  { kind, by, expectedVersion }: Extract<Change, { type: "SaveVersion" }>,
  state: Held,
): SavedWorkEvent[] | Refusal<SavedWorkRefusal> {
  if (kind !== state.kind) return refuse("work_not_found");
  if (expectedVersion !== state.version) return refuse("work_changed");
  if (state.version >= analystLimits.versionsMax) return refuse("work_full");
  const version = state.version + 1;
  return [{ type: "WorkSaved", data: { kind, version, ownerId: by.accountId } }];
}
