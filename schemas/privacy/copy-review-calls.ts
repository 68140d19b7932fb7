import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { privacyProblems } from "./calls.ts";
import { HeldRecord, HeldSection } from "./held-data.ts";
import { decision, decisionRefusals, Version } from "./officer-calls.ts";
import { Redaction, Redactions } from "./redaction.ts";

const problems = privacyProblems;
const { access, params } = decision;
const store = HeldSection.shape.section;

/** For officers who review a copy for passages about other people before it is sealed. */
export const copyReviewCalls = defineCalls({
  "GET /api/console/privacy/requests/:requestId/review": {
    summary: "What was collected for a copy, store by store, and what is proposed to be withheld",
    access,
    params,
    answer: z.object({
      /** Of what was collected; a proposal names it. */
      collected: z.hash("sha256"),
      collectedAt: Instant,
      stores: z.array(
        z.object({
          store,
          entries: z.int().nonnegative(),
          /** Whether others may have written its texts. */
          byOthers: z.boolean(),
        }),
      ),
      /** The number of the newest proposal; 0 while there is none. */
      revision: z.int().nonnegative(),
      proposal: z
        .object({
          officerId: Uuid,
          mine: z.boolean(),
          /** A second officer did not confirm it. */
          returned: z.boolean(),
          redactions: Redactions,
        })
        .nullable(),
      /** Where the words of the proposal stand once more, and are not withheld; at most 50 places. */
      elsewhere: z.array(Redaction),
      /** Nothing is withheld, and no other officer wanted it: this one may release the copy alone. */
      releasable: z.boolean(),
    }),
    problems: [problems.request_unknown, problems.not_possible_now, problems.collection_lost],
  },
  "GET /api/console/privacy/requests/:requestId/review/entries": {
    summary: "Some entries of one store of a collected copy, from a place on",
    access,
    params,
    query: z.object({ store, from: z.coerce.number().int().nonnegative().default(0) }),
    answer: z.object({
      entries: z.array(z.object({ entry: z.int().nonnegative(), values: HeldRecord })),
      /** Where the next page begins; null at the end. */
      next: z.int().positive().nullable(),
    }),
    problems: [problems.request_unknown, problems.not_possible_now, problems.collection_lost],
  },
  "POST /api/console/privacy/requests/:requestId/review/redactions": {
    ...decision,
    summary:
      "Proposes what is withheld, in the place of an earlier proposal; a second officer confirms",
    body: z.object({ ...Version, collected: z.hash("sha256"), redactions: Redactions }),
    bodyBytesMax: 256 * 1024,
    problems: [...decisionRefusals, problems.redaction_unfit, problems.collection_lost],
  },
  "POST /api/console/privacy/requests/:requestId/review/confirm": {
    ...decision,
    summary: "Confirms the proposal of another officer: the copy is sealed without those passages",
    body: z.object({ ...Version, revision: z.int().positive() }),
    problems: [...decisionRefusals, problems.own_proposal],
  },
  "POST /api/console/privacy/requests/:requestId/review/return": {
    ...decision,
    summary: "Sends the proposal of another officer back to be changed",
    body: z.object({ ...Version, revision: z.int().positive() }),
    problems: [...decisionRefusals, problems.own_proposal],
  },
  "POST /api/console/privacy/requests/:requestId/review/release": {
    ...decision,
    summary: "Releases a copy of which nothing is withheld",
    body: z.object(Version),
    problems: [...decisionRefusals, problems.second_officer],
  },
  "POST /api/console/privacy/requests/:requestId/review/collect-again": {
    ...decision,
    summary: "Discards what was collected, and its proposals: the data is collected anew",
    body: z.object(Version),
  },
});
