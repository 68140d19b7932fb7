import { z } from "zod";

import type { StreamDefinition } from "../commands.ts";
import { defineEvents } from "../events.ts";
import { column, optional, readModel, type ReadModel } from "../read-model.ts";

/** A reading list: books are added, finished, and the whole list may be erased. */
const BookEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("BookAdded"),
    data: z.object({ book: z.string(), tags: z.array(z.string()) }),
  }),
  z.object({ type: z.literal("BookFinished"), data: z.object({ book: z.string() }) }),
  z.object({ type: z.literal("BookRemoved"), data: z.object({ book: z.string() }) }),
  z.object({ type: z.literal("ListErased"), data: z.object({}) }),
]);
export type BookEvent = z.infer<typeof BookEvent>;
export const bookEvents = defineEvents("books", BookEvent);

type BooksDefinition = {
  readonly version?: number;
  readonly mode?: ReadModel["mode"];
  /** The note of a book that was added. */
  readonly note?: string | null;
  readonly views?: ReadModel["views"];
};

/** The books on all lists: lists of texts, a nested value, a value that may be missing. */
export const books = ({
  version = 1,
  mode = "inline",
  note = null,
  views = [],
}: BooksDefinition = {}): ReadModel =>
  readModel({
    table: "book",
    version,
    mode,
    views,
    purpose: "Books on a list",
    retention: "As long as the events",
    events: bookEvents,
    key: {
      list_id: column.text("pseudonym", "Which list"),
      book: column.text("content", "Which book"),
    },
    columns: {
      tags: column.texts("content", "Tags"),
      finished: column.json(z.object({ times: z.int() }))("operational", "How often it was read"),
      note: optional(column.text("content", "A note")),
    },
    keyOf: ({ id, event }) =>
      event.type === "ListErased"
        ? "every row of the stream"
        : { list_id: id, book: event.data.book },
    evolve: (row, { event }) => {
      switch (event.type) {
        case "BookAdded":
          return { tags: event.data.tags, finished: row?.finished ?? { times: 0 }, note };
        case "BookFinished":
          return row && { ...row, finished: { times: row.finished.times + 1 } };
        case "BookRemoved":
        case "ListErased":
          return null;
      }
    },
  });

type BookCommand = { readonly type: "Record"; readonly event: BookEvent };

/** Lists that accept every event as a command: the read models are what is tested. */
export const bookLists: StreamDefinition<null, BookCommand, BookEvent, never> = {
  events: bookEvents,
  decider: {
    initialState: null,
    decide: ({ event }) => [event],
    evolve: () => null,
  },
  durableWith: "each append",
  reply: () => null,
};
