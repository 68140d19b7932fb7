import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import {
  internalWithheldCalls,
  type RunnableTile,
} from "@pro-talent/schemas/analysts/internal-work-calls";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import type { QueryContent } from "@pro-talent/schemas/analysts/saved-work";
import type { TileAnswer } from "@pro-talent/schemas/analysts/work-calls";

import type { DayRange } from "./schedule.ts";

/** Asks the insights service for results without small groups. */
export type WithheldResults = {
  /** @throws ServiceRefusal; when the insights service does not answer */
  readonly run: (asked: {
    readonly accountId: string;
    readonly queryId: string;
    readonly tile: RunnableTile;
    readonly days: DayRange;
  }) => Promise<TileAnswer>;
  /** @returns what stands against withholding small groups of a query, and where; null if nothing does */
  readonly check: (
    content: QueryContent,
  ) => Promise<{ readonly pointer: string; readonly message: string } | null>;
};

/** Longer than a query may run. */
const timeoutMs = (analystLimits.secondsMax + 10) * 1000;

/** Of the insights service. */
export function withheldOver(insights: ServiceAddress): WithheldResults {
  const call = callService(insights, internalWithheldCalls, timeoutMs);
  return {
    run: ({ days, ...asked }) =>
      call("POST /internal/analyst-queries/withheld", {
        body: { ...asked, ...days, channel: "delivery" },
      }),
    check: async (content) =>
      (await call("POST /internal/analyst-queries/check", { body: content })).refused,
  };
}
