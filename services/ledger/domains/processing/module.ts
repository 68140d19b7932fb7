import { createHash } from "node:crypto";
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
const text = readFileSync(new URL("record.json", import.meta.url), "utf8");
const record = ProcessingRecord.parse(JSON.parse(text));

/** Names the version of the record: which stores were known when something was decided. */
export const register = createHash("sha256").update(text).digest("hex");

/** Every store that is in the record, as `<store> <name>`. */
export const stores = record.activities.flatMap(({ assets }) =>
  assets.map(({ store, name }) => `${store} ${name}`),
);

/** What a law demands to be kept when its subject is erased. */
export const keptByLaw = record.activities.flatMap(({ assets }) =>
  assets.flatMap(({ name, eraser }) =>
    eraser?.by === "law" ? [{ asset: name, law: eraser.detail ?? "" }] : [],
  ),
);

/** What personal data is used for. */
export const { activities } = record;

/** Serves the record. */
export const processing = defineModule({
  name: "processing",
  events: [],
  routes: addProcessingRoutes,
});

async function addProcessingRoutes(app: FastifyInstance, context: HttpContext): Promise<void> {
  await limitRate(app, { writes: context.formsPerMinute, reads: context.readsPerMinute });
  addCalls(app, processingRecordCalls, {
    "GET /api/privacy/officer/processing-record": async () => record,
  });
}
