import type { ServerResponse } from "node:http";
import type { ProblemCode } from "@pro-talent/schemas/primitives/problem";
/** Answers with problem details (RFC 9457). */
export declare function answerProblem(response: ServerResponse, code: ProblemCode): void;
