import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { createLogger } from "../runtime/logger.ts";
import { createTestPostgres, type TestPostgres } from "../testing/engines.ts";
import { connectQueue, type JobQueue } from "./connect-queue.ts";
import { defineJob } from "./define-job.ts";
import { searchQueue } from "./search-queue.ts";
import { openTestQueue, queueBackends, type TestQueue } from "./testing/test-queue.ts";

const job = defineJob({
  name: "test.mail",
  payload: z.strictObject({ to: z.string() }),
  retry: { attempts: 1, backoffMs: 1 },
});
describe.each(queueBackends)("on %s", (backend) => {
  let database: TestPostgres;
  let store: TestQueue;
  let queue: JobQueue;
  beforeAll(async () => {
    database = await createTestPostgres();
    store = await openTestQueue(backend, { ownerUrl: database.ownerUrl, name: "ledger" });
    queue = await connectQueue(store.url, {
      name: "ledger",
      log: createLogger({ service: "test", level: "silent" }),
    });
  });
  afterAll(async () => {
    await queue.close();
    await store.close();
    await database.drop();
  });

  it("what a job holds is found, ids apart, and the planted job is gone afterwards", async () => {
    const [email, id] = [`${randomUUID()}@example.com`, randomUUID()];
    await queue.add(job, { to: email }, { delayMs: 60_000 });
    await queue.add(job, { to: id }, { delayMs: 60_000 });
    const search = async (values: string[], ids: string[]) =>
      (await searchQueue(store.url, "ledger", [{ values, ids }]))[0];
    const first = await search([email], [id]);
    expect(first).toMatchObject({ hits: 1, kept: 1, decoy: true });
    const second = await search([`other-${email}`], []);
    expect(second).toMatchObject({ hits: 0, kept: 0, decoy: true });
  });
});

it.each(["postgres://jobs_app:x@127.0.0.1:9/none", "redis://127.0.0.1:9"])(
  "a queue that does not answer cannot be searched: %s",
  async (away) => {
    await expect(
      searchQueue(away, "ledger", [{ values: ["x".repeat(9)], ids: [] }]),
    ).rejects.toThrow("does not answer");
  },
);
