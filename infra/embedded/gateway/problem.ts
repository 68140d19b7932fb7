import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

import { problemBody } from "@pro-talent/platform/http/problem-details";
import type { PlatformProblemCode } from "@pro-talent/schemas/primitives/problem";

/** Answers with problem details (RFC 9457). */
export function answerProblem(response: ServerResponse, code: PlatformProblemCode): void {
  const problem = problemBody(code, randomUUID());
  const body = JSON.stringify(problem);
  response.writeHead(problem.status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(problem.status === 503 ? { "retry-after": "1" } : {}),
  });
  response.end(body);
}
