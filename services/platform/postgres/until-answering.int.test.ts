import { afterAll, beforeAll, expect, it } from "vitest";

import type { Logger } from "../runtime/logger.ts";
import { createTestPostgres, postgresUrlFor, type TestPostgres } from "../testing/engines.ts";
import { startRecoveringPostgres } from "../testing/recovering-postgres.ts";
import { until } from "../testing/until.ts";
import { untilPostgresAnswers } from "./until-answering.ts";

let database: TestPostgres;

beforeAll(async () => {
  database = await createTestPostgres();
});
afterAll(() => database.drop());

/** A logger that keeps what it is given. */
function recorder(): { log: Logger; lines: unknown[][] } {
  const lines: unknown[][] = [];
  const write = (...line: unknown[]): void => void lines.push(line);
  const log = { fatal: write, error: write, warn: write, info: write, debug: write, trace: write };
  return { log, lines };
}

it("waits for a server that recovers, and says so once", async () => {
  const server = await startRecoveringPostgres(database.ownerUrl);
  const { log, lines } = recorder();
  const waiting = untilPostgresAnswers(server.url, { log });
  await until("it was refused several times", () => server.refused() >= 3);
  server.recover();
  await waiting;
  expect(lines).toEqual([
    [{ err: expect.objectContaining({ code: "57P03" }) }, expect.stringContaining("waiting")],
  ]);
  await server.stop();
});

it("waits for a server that does not listen, but not for ever", async () => {
  const { log, lines } = recorder();
  const nowhere = "postgres://reader@127.0.0.1:1/none";
  await expect(untilPostgresAnswers(nowhere, { log, withinMs: 600 })).rejects.toMatchObject({
    name: "PostgresUnavailable",
    code: "ECONNREFUSED",
  });
  expect(lines).toHaveLength(1);
});

it("does not wait where waiting does not help", async () => {
  const { log, lines } = recorder();
  const other = postgresUrlFor(database.ownerUrl, { database: "there_is_none" });
  await expect(untilPostgresAnswers(other, { log })).rejects.toMatchObject({ code: "3D000" });
  expect(lines).toEqual([]);
});
