import { readFileSync } from "node:fs";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import {
  ProcessingRecord,
  processingRecordCalls,
} from "@pro-talent/schemas/privacy/processing-record";
import type { FastifyInstance } from "fastify";

import { defineModule, type HttpContext } from "../../kernel/module.ts";

/** The record of processing activities, which the check of the data maps makes with each release. */
export const processing = defineModule({
  name: "processing",
  events: [],
  routes: addProcessingRoutes,
});

async function addProcessingRoutes(app: FastifyInstance, context: HttpContext): Promise<void> {
  const file = new URL("record.json", import.meta.url);
  const record = ProcessingRecord.parse(JSON.parse(readFileSync(file, "utf8")));
  await limitRate(app, { writes: context.formsPerMinute, reads: context.readsPerMinute });
  addCalls(app, processingRecordCalls, {
    "GET /api/privacy/officer/processing-record": async () => record,
  });
}
