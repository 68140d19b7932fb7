import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import { addCalls, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { privacyProblems as problems } from "@pro-talent/schemas/privacy/calls";
import type { ErasureCertificate } from "@pro-talent/schemas/privacy/evidence";
import { evidenceCalls } from "@pro-talent/schemas/privacy/evidence-calls";
import type { FastifyInstance } from "fastify";

import { unavailable } from "../../../kernel/http.ts";
import type { HttpContext } from "../../../kernel/module.ts";
import { erasureCertificate } from "./certificate.ts";
import { evidencePack, type ProofFiles } from "./pack.ts";

export type ProofParts = {
  readonly context: HttpContext;
  readonly signingKey: SigningKey;
  readonly proofs: ProofFiles;
  readonly register: string | null;
  /** What a law demands to be kept. */
  readonly kept: ErasureCertificate["kept"];
};

/** Proof of what became of a request: for officers, and a certificate for who asked. */
export async function addEvidenceCalls(
  app: FastifyInstance,
  { context, ...proof }: ProofParts,
): Promise<void> {
  const parts = { ...proof, sql: context.ledger.sql };
  await limitRate(app, { reads: context.readsPerMinute });
  addCalls(app, evidenceCalls, {
    "GET /api/console/privacy/requests/:requestId/evidence": async ({ params, query }) => {
      const { requestId } = params;
      const asked = { requestId, language: query.language, at: instantFromMs(context.clock()) };
      const pack = await evidencePack(parts, asked).catch(unavailable);
      if (pack === undefined) throw new ProblemError(problems.request_unknown);
      return new FileAnswer(pack, "application/zip", `evidence-${requestId.slice(0, 8)}.zip`);
    },
    "GET /api/privacy/certificates/:requestId": async ({ params }, { refuse }) => {
      const at = instantFromMs(context.clock());
      const certified = await erasureCertificate(parts, params.requestId, at).catch(unavailable);
      return certified ?? refuse("certificate_unknown");
    },
  });
}
