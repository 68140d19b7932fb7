import type { CallAnswer } from "../../../api-client/request.ts";
import type { Note, Whole } from "../queries.ts";

type Open = CallAnswer<"GET /api/insights/links/:linkId/opens">["opens"][number];

/** What happened to an application, at its time. */
export type TimelineEntry = { id: string; at: string } & (
  | { kind: "history"; entry: Whole["history"][number] }
  | { kind: "note"; note: Note }
  | { kind: "open"; open: Open }
);

/** History, notes and opens of its links as one list, the newest first. */
export function timelineOf(
  { history, notes }: Pick<Whole, "history" | "notes">,
  opens: readonly Open[],
): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...history.map((entry, index) => ({
      id: `history-${history.length - index}`,
      at: entry.at,
      kind: "history" as const,
      entry,
    })),
    ...notes.map((note) => ({
      id: note.noteId,
      at: note.writtenAt,
      kind: "note" as const,
      note,
    })),
    ...opens.map((open) => ({ id: open.openId, at: open.at, kind: "open" as const, open })),
  ];
  return entries.toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
}
