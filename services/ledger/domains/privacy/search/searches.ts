import { Traces } from "@pro-talent/schemas/primitives/traces";
import { SearchEvent } from "@pro-talent/schemas/privacy/erasure-search";
import { v5 as uuidV5 } from "uuid";
import type { z } from "zod";

import {
  type CommandContext,
  runCommand,
  type StreamDefinition,
} from "../../../kernel/commands.ts";
import { defineEvents } from "../../../kernel/events.ts";
import type { LedgerContext } from "../../../kernel/module.ts";
import { loadState, readSealed } from "../../../kernel/streams.ts";
import type { SubjectKind } from "../../../kernel/subjects.ts";
import { refuse } from "../../../kernel/types.ts";

export const searchEvents = defineEvents("search", SearchEvent);

/** What is searched for has a subject of its own: the requester's key may go with the claim. */
const searched: SubjectKind = "privacy.searched";

type State = "none" | "prepared" | "ended";
type SearchCommand = { readonly type: "PrepareSearch" | "EndSearch" };

/** The search of one erasure: `search-<requestId>`. */
export const searches: StreamDefinition<State, SearchCommand, SearchEvent, "ended"> = {
  events: searchEvents,
  decider: {
    initialState: "none",
    decide: ({ type }, state) => {
      if (type === "EndSearch")
        return state === "prepared" ? [{ type: "SearchEnded", data: {} }] : [];
      if (state === "ended") return refuse("ended");
      return state === "none" ? [{ type: "SearchPrepared", data: {} }] : [];
    },
    evolve: (_state, { type }) => (type === "SearchPrepared" ? "prepared" : "ended"),
  },
  durableWith: "each append",
  reply: (state) => ({ status: state }),
  erasure: { events: ["SearchEnded"], timers: [] },
};

type Stores = Pick<LedgerContext, "ledger" | "subjects">;

/** Namespace of the subjects of searches: drawn at random once, fixed for ever. */
const searchNamespace = "6f6d7d0a-0d3e-4b39-9a7e-2f1b8c5d4e60";

/** The subject whose key opens what is searched for. */
export const searchSubject = (requestId: string): string => uuidV5(requestId, searchNamespace);

/** Seals what is searched for, once; repeated it changes nothing. @param email of the person */
export async function prepareSearch(
  { ledger, subjects }: Stores,
  requestId: string,
  { email, traces }: { readonly email: string; readonly traces: Traces },
  why: CommandContext,
): Promise<void> {
  const { state } = await loadState(ledger.sql, searches, requestId);
  if (state !== "none") return;
  const subject = await subjects.ofOccasion(searched, searchSubject(requestId), email);
  const command = { type: "PrepareSearch" } as const;
  const result = await runCommand(ledger, searches, {
    ...why,
    id: requestId,
    command,
    body: command,
    sealed: { ...subject.seal({ email, ...traces }), type: "SearchPrepared" },
  });
  if (result.kind === "refusal") throw new Error(`No search was prepared: ${result.code}`);
}

const Prepared = Traces.extend({ email: Traces.shape.values.element });
export type PreparedSearch = z.output<typeof Prepared>;

/** What is searched for; undefined when it was not prepared, or its key is destroyed. */
export async function preparedSearch(
  { ledger, subjects }: Stores,
  requestId: string,
): Promise<PreparedSearch | undefined> {
  const stream = searchEvents.streamOf(requestId);
  const sealed = await readSealed(ledger.sql, stream, "SearchPrepared");
  const subject = sealed === undefined ? undefined : await subjects.find(sealed.keyId);
  return sealed === undefined ? undefined : subject?.open(sealed.bytes, Prepared);
}

/** Destroys the key of what was searched for. May be repeated. @returns whether it was there */
export async function endSearch(
  { ledger, subjects }: Stores,
  requestId: string,
  why: CommandContext,
): Promise<boolean> {
  const id = searchSubject(requestId);
  const command = { type: "EndSearch" } as const;
  await runCommand(ledger, searches, { ...why, id: requestId, command, body: command });
  const isThere = (await subjects.find(id)) !== undefined;
  await subjects.shred(id);
  return isThere;
}
