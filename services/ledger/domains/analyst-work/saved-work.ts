import { savedKinds, sharingRoles } from "@pro-talent/schemas/analysts/saved-work";
import { SavedWorkEvent } from "@pro-talent/schemas/analysts/work-events";
import { z } from "zod";

import type { Sealed } from "../../kernel/append.ts";
import {
  type CommandContext,
  type CommandResult,
  runCommand,
  type StreamDefinition,
} from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { column, optional, readModel } from "../../kernel/read-model.ts";
import type { SubjectKind } from "../../kernel/subjects.ts";
import {
  type SavedWorkCommand,
  savedWorkDecider,
  type SavedWorkRefusal,
  type SavedWorkState,
} from "./decider.ts";

export const savedWorkEvents = defineEvents("savedwork", SavedWorkEvent);

/** Each work is sealed under a key of its own, so that it can be erased alone and can outlast its owner. */
const workText: SubjectKind = "savedwork.text";

/** No person stands behind the key, so that no address leads to it (RFC 2606, §2). */
export const subjectOfWork = ({ subjects }: Pick<LedgerContext, "subjects">, workId: string) =>
  subjects.ofOccasion(workText, workId, `${workId}@work.invalid`);

/** Destroys the key of what was written. */
export const destroyWorkTimer = "analyst-work.destroy-key";

export const savedWork: StreamDefinition<
  SavedWorkState,
  SavedWorkCommand,
  SavedWorkEvent,
  SavedWorkRefusal
> = {
  events: savedWorkEvents,
  decider: savedWorkDecider,
  durableWith: "answer",
  reply: ({ status }) => ({ status }),
  timers: (state) =>
    state.status === "erased" ? [{ name: destroyWorkTimer, dueAt: state.at }] : [],
  erasure: { events: ["WorkErased"], timers: [] },
};

type Issued = CommandContext & {
  readonly sealed?: Sealed & { readonly type: SavedWorkEvent["type"] };
};

/** Carries out a command about saved work. */
export function commandWork(
  { ledger }: Pick<LedgerContext, "ledger">,
  workId: string,
  command: SavedWorkCommand,
  issued: Issued,
): Promise<CommandResult<SavedWorkRefusal>> {
  // What was written is not compared with a repetition.
  const body = { type: command.type, workId };
  return runCommand(ledger, savedWork, { id: workId, command, body, ...issued });
}

/** Saved work that exists, without what was written. */
export const savedWorkRows = readModel({
  table: "saved_work",
  version: 1,
  mode: "inline",
  purpose: "Lists the saved work that an account may see",
  retention: "Until the work is erased",
  events: savedWorkEvents,
  key: { work_id: column.uuid("operational", "Names the work") },
  columns: {
    owner_id: optional(column.uuid("pseudonym", "Whose it is; none once it was handed over")),
    kind: column.oneOf(z.enum(savedKinds))("operational", "A query or a dashboard"),
    shared_with: column.json(z.array(z.enum(sharingRoles)))("operational", "Roles that see it"),
    version: column.integer("operational", "The newest"),
    created_at: column.instant("operational", "When it was saved first"),
    changed_at: column.instant("operational", "When it was changed last"),
    archived_at: optional(column.instant("operational", "When it was archived")),
  },
  evolve: (row, { event: { type, data }, occurredAt: at }) => {
    if (type === "WorkSaved") {
      const { ownerId, kind, version } = data;
      const first = { shared_with: [], created_at: at, archived_at: null };
      return { ...first, ...row, owner_id: ownerId, kind, version, changed_at: at };
    }
    if (row === null) return null;
    switch (type) {
      case "WorkRenamed":
        return { ...row, changed_at: at };
      case "WorkSharingChanged":
        return { ...row, shared_with: data.sharedWith };
      case "WorkArchived":
        return { ...row, archived_at: at };
      case "WorkRestored":
        return { ...row, archived_at: null };
      case "WorkHandedOver":
        return { ...row, owner_id: null };
      case "WorkErased":
        return null;
    }
  },
  indexes: [{ on: "(owner_id)" }],
});
