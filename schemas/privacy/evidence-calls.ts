import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";
import { defineProblems } from "../primitives/problem.ts";
import { privacyProblems } from "./calls.ts";
import { ErasureCertificate } from "./evidence.ts";

const problems = defineProblems({
  certificate_unknown: [404, "No deletion with this number is completed in the live stores."],
});

const params = z.object({ requestId: Uuid });

export const evidenceCalls = defineCalls({
  "GET /api/console/privacy/requests/:requestId/evidence": {
    summary: "The evidence pack of a request: a signed archive without personal data",
    access: { roles: ["officer"] },
    params,
    /** Of the readable page; everything else has no language. */
    query: z.object({ language: Locale.default("en") }),
    file: "application/zip",
    answer: z.never(),
    problems: [privacyProblems.request_unknown],
  },
  /** By the number alone, which the last mail of the account names: by then the account is erased. */
  "GET /api/privacy/certificates/:requestId": {
    summary: "The certificate of a deletion, for everyone who knows its number",
    access: "public",
    params,
    answer: z.object({
      certificate: ErasureCertificate,
      /** The same, signed: one line of JSON for `verify.mjs`. */
      document: z.string(),
    }),
    problems: [problems.certificate_unknown],
  },
});
