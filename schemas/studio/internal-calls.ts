import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Traces } from "../primitives/traces.ts";
import { searchCall } from "../privacy/erasure-search.ts";
import { HeldRecord } from "../privacy/held-data.ts";
import { cvProblems as problems } from "./calls.ts";

const params = z.object({ accountId: Uuid });

/** For what a holder is shown and given of everything that is held about them. */
export const internalCvHeldCalls = defineCalls({
  "GET /internal/cvs/of/:accountId/held": {
    summary:
      "The CVs and the portfolio of an account in readable form, and the names of their files",
    access: "internal",
    params,
    answer: z.object({
      records: z.array(HeldRecord),
      files: z.array(z.object({ fileId: Uuid, name: z.string() })),
    }),
  },
  "GET /internal/cvs/of/:accountId/files/:fileId": {
    summary: "A CV, or the portfolio, with all versions as JSON, or one of their pictures",
    access: "internal",
    params: params.extend({ fileId: Uuid }),
    file: "application/octet-stream",
    answer: z.never(),
  },
});

/** For the erasure of an account, which the ledger decides. All may be repeated. */
export const internalCvErasureCalls = defineCalls({
  "GET /internal/cvs/of/:accountId/traces": {
    summary: "Words and ids in what an account wrote that name its holder, until they are erased",
    access: "internal",
    params,
    answer: Traces,
  },
  "DELETE /internal/cvs/of/:accountId": {
    summary:
      "Erases the CVs and the portfolio of an account with the key that they are sealed under",
    access: "internal",
    params,
    answer: z.object({
      /** Rows of all tables, before and after. */
      found: z.int().nonnegative(),
      left: z.int().nonnegative(),
    }),
  },
  "POST /internal/cvs/searches": {
    summary: "Searches what the studio stores for what was erased",
    ...searchCall,
  },
});

const ofCv = params.extend({ cvId: Uuid });
const file = "application/octet-stream";

/** For the ledger, whose links lead to CVs. */
export const internalCvFileCalls = defineCalls({
  "GET /internal/cvs/of/:accountId/cvs/:cvId": {
    summary: "The current version of a CV, and the name of its PDF",
    access: "internal",
    params: ofCv,
    answer: z.object({ version: z.int(), fileName: z.string() }),
    problems: [problems.cv_not_found],
  },
  "GET /internal/cvs/of/:accountId/cvs/:cvId/pdf": {
    summary: "The PDF of a CV as it is now",
    access: "internal",
    params: ofCv,
    file,
    answer: z.never(),
    problems: [problems.cv_not_found, problems.cv_not_drawn],
  },
  "GET /internal/cvs/of/:accountId/cvs/:cvId/versions/:version/pdf": {
    summary: "The PDF of a version",
    access: "internal",
    params: ofCv.extend({ version: z.coerce.number().pipe(z.int().min(1)) }),
    file,
    answer: z.never(),
    problems: [problems.cv_not_found, problems.version_not_found, problems.cv_not_drawn],
  },
});
