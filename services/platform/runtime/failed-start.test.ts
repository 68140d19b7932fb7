import pg from "pg";
import { expect, it } from "vitest";

import { PostgresUnavailable, unavailableOr } from "../postgres/unavailable.ts";
import { QueueUnavailable } from "../queue/job-failures.ts";
import { exitCodeOf } from "./failed-start.ts";
import { OperatorError } from "./operator-error.ts";

const withCode = (code: string): Error => Object.assign(new Error(code), { code });
const refusal = (code: string): unknown =>
  unavailableOr(Object.assign(new pg.DatabaseError(code, 0, "error"), { code }));

it.each([
  ["a database that does not answer", new PostgresUnavailable("no connection")],
  ["a database that starts", refusal("57P03")],
  ["a queue that does not answer", new QueueUnavailable("no connection")],
  ["a peer that refuses connections", withCode("ECONNREFUSED")],
  [
    "a migration that timed out",
    new OperatorError("failed", { cause: withCode("CONNECT_TIMEOUT") }),
  ],
])("a start that %s interrupts is repeated", (_, error) => {
  expect(exitCodeOf(error)).toBe(75);
});

it.each([
  ["a wrong password", refusal("28P01")],
  ["a missing table", refusal("42P01")],
  ["a missing file", withCode("ENOENT")],
  ["a taken port", withCode("EADDRINUSE")],
  ["a setting that is missing", new OperatorError("The environment is not complete")],
  ["a fault of the program", new TypeError("x is not a function")],
])("a start that fails with %s is over", (_, error) => {
  expect(exitCodeOf(error)).toBe(1);
});
