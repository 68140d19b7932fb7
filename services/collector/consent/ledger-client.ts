import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import {
  ConsentDecisionAnswer,
  type ConsentDecisionRequest,
  consentPaths,
} from "@pro-talent/schemas/consent/calls";

export type LedgerClient = {
  /**
   * Records a decision. The answer comes only after the ledger has committed it.
   * @throws ProblemError `ledger_unavailable`; the decision may or may not have been recorded, and
   *   repeating it is safe
   */
  decide(request: ConsentDecisionRequest): Promise<ConsentDecisionAnswer>;
};

type LedgerClientOptions = {
  url: string;
  internalToken: string;
  log: Logger;
  timeoutMs?: number;
};

const attemptsMax = 2;

/**
 * The ledger over HTTP. After a broken connection the same command id is sent once more: the ledger
 * answers a command that it already knows with its first reply.
 */
export function createLedgerClient(options: LedgerClientOptions): LedgerClient {
  const url = new URL(consentPaths.decisions, options.url);
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${options.internalToken}`,
  };

  const send = async (body: string): Promise<Response> => {
    const signal = AbortSignal.timeout(options.timeoutMs ?? 3_000);
    return fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
  };

  const attempt = async (body: string): Promise<ConsentDecisionAnswer | undefined> => {
    try {
      const response = await send(body);
      if (response.ok) return ConsentDecisionAnswer.parse(await response.json());
      await response.body?.cancel();
      options.log.warn({ status: response.status }, "the ledger refused a consent decision");
      // Repeating does not change a refusal; only failures of the server may end.
      if (response.status < 500) throw unavailable();
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      options.log.warn({ err: error }, "the ledger did not answer a consent decision");
    }
    return undefined;
  };

  return {
    decide: async (request) => {
      const body = JSON.stringify(request);
      for (let count = 0; count < attemptsMax; count += 1) {
        const answer = await attempt(body);
        if (answer !== undefined) return answer;
      }
      throw unavailable();
    },
  };
}

function unavailable(): ProblemError {
  return new ProblemError("ledger_unavailable", { retryAfterSeconds: 2 });
}
