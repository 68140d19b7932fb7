import type { FileStore } from "@pro-talent/platform/files/file-store";
import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { privacyProblems as problems } from "@pro-talent/schemas/privacy/calls";
import { copyReviewCalls } from "@pro-talent/schemas/privacy/copy-review-calls";
import { redactionLimits } from "@pro-talent/schemas/privacy/redaction";
import type { FastifyInstance } from "fastify";

import { unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { CopyReview } from "./copy-review.decider.ts";
import { allFit, type Entry, openCollected } from "./fulfil/collected-copy.ts";
import { sameWords } from "./fulfil/same-words.ts";
import { decideOn, officerOf } from "./officer-calls.ts";
import { privacyRequests } from "./requests.ts";

export type CopyReviewParts = {
  readonly context: HttpContext;
  readonly files: FileStore;
  /** Stores whose texts others may have written. */
  readonly byOthers: readonly string[];
};

/** The calls of officers who review a copy before it is sealed. */
export async function addCopyReviewCalls(
  app: FastifyInstance,
  parts: CopyReviewParts,
): Promise<void> {
  const { context } = parts;
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  addCalls(app, copyReviewCalls, {
    "GET /api/console/privacy/requests/:requestId/review": async ({ params }, { account }) =>
      await viewOf(parts, params.requestId, account.accountId).catch(unavailable),
    "GET /api/console/privacy/requests/:requestId/review/entries": async ({ params, query }) =>
      await pageOf(parts, params.requestId, query).catch(unavailable),
    "POST /api/console/privacy/requests/:requestId/review/redactions": async (
      { params: { requestId }, body: { version, collected, redactions } },
      caller,
    ) =>
      await decideOn(parts, caller, { requestId, version }, async () => {
        const { entries } = await collectedFor(parts, requestId).catch(unavailable);
        if (!(await allFit(entries, redactions).catch(unavailable)))
          throw new ProblemError(problems.redaction_unfit);
        const data = { officerId: officerOf(caller), collected, redactions };
        return { fact: { type: "RedactionProposed", data } };
      }),
    "POST /api/console/privacy/requests/:requestId/review/confirm": async (
      { params, body },
      caller,
    ) =>
      await decideOn(parts, caller, { ...params, ...body }, async () => {
        const data = { officerId: officerOf(caller), revision: body.revision };
        return { fact: { type: "RedactionApplied", data } };
      }),
    "POST /api/console/privacy/requests/:requestId/review/return": async (
      { params, body },
      caller,
    ) =>
      await decideOn(parts, caller, { ...params, ...body }, async () => {
        const data = { officerId: officerOf(caller), revision: body.revision };
        return { fact: { type: "RedactionReturned", data } };
      }),
    "POST /api/console/privacy/requests/:requestId/review/release": async (
      { params, body },
      caller,
    ) =>
      await decideOn(parts, caller, { ...params, ...body }, async () => {
        return { fact: { type: "CopyReleased", data: { officerId: officerOf(caller) } } };
      }),
    "POST /api/console/privacy/requests/:requestId/review/collect-again": async (
      { params, body },
      caller,
    ) =>
      await decideOn(parts, caller, { ...params, ...body }, async () => {
        return { fact: { type: "CollectionDiscarded", data: { officerId: officerOf(caller) } } };
      }),
  });
}

/** @throws ProblemError when the copy of this request is not in review */
async function reviewFor(
  { context }: CopyReviewParts,
  requestId: string,
): Promise<CopyReview & { readonly revision: number }> {
  const { state } = await loadState(context.ledger.sql, privacyRequests, requestId);
  if (state.status === "none") throw new ProblemError(problems.request_unknown);
  if (state.status !== "review" || state.review === null)
    throw new ProblemError(problems.not_possible_now);
  return { ...state.review, revision: state.revision };
}

/** @throws ProblemError when it cannot be read any more */
async function collectedFor({ context, files }: CopyReviewParts, requestId: string) {
  const collected = await openCollected(context, files, requestId);
  if (collected === undefined) throw new ProblemError(problems.collection_lost);
  return collected;
}

async function viewOf(parts: CopyReviewParts, requestId: string, officerId: string) {
  const { collected, revision, proposal, proposers } = await reviewFor(parts, requestId);
  const { head, entries } = await collectedFor(parts, requestId);
  await entries.return(undefined);
  const redactions = proposal?.redactions ?? [];
  const open = async function* again(): AsyncGenerator<Entry> {
    yield* (await collectedFor(parts, requestId)).entries;
  };
  return {
    collected,
    collectedAt: head.collectedAt,
    stores: head.stores.map(({ store, entries: count }) => {
      return { store, entries: count, byOthers: parts.byOthers.includes(store) };
    }),
    revision,
    proposal: proposal && {
      officerId: proposal.by,
      mine: proposal.by === officerId,
      returned: proposal.returned,
      redactions: [...redactions],
    },
    elsewhere: await sameWords(open, redactions),
    releasable: redactions.length === 0 && proposers.every((id) => id === officerId),
  };
}

async function pageOf(
  parts: CopyReviewParts,
  requestId: string,
  { store, from }: { readonly store: Entry["store"]; readonly from: number },
) {
  await reviewFor(parts, requestId);
  const { entries } = await collectedFor(parts, requestId);
  const until = from + redactionLimits.entriesPerPage;
  const page: { entry: number; values: Entry["record"] }[] = [];
  for await (const { store: other, entry, record } of entries) {
    if (other !== store || entry < from) continue;
    if (entry === until) return { entries: page, next: until };
    page.push({ entry, values: record });
  }
  return { entries: page, next: null };
}
