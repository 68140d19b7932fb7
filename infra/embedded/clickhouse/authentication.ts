import type { IncomingHttpHeaders } from "node:http";

import { secretsEqual } from "@pro-talent/platform/crypto/secrets";

import { refusal } from "./engine-error.ts";

/** The only user of the embedded engine. */
export const USER = "default";

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

type Credentials = { user: string; password: string };

function fromBasic(header: string): Credentials | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const [user = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return { user, password: rest.join(":") };
}

function credentialsOf(headers: IncomingHttpHeaders, query: URLSearchParams): Credentials {
  const named = single(headers["x-clickhouse-user"]);
  if (named !== undefined) {
    return { user: named, password: single(headers["x-clickhouse-key"]) ?? "" };
  }
  const basic = fromBasic(headers.authorization ?? "");
  if (basic !== undefined) return basic;
  return { user: query.get("user") ?? USER, password: query.get("password") ?? "" };
}

/**
 * Checks the credentials of a request in the three places where ClickHouse accepts them.
 * @throws {EngineError} 516 AUTHENTICATION_FAILED, the same for a wrong name and a wrong password
 */
export function authenticate(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  password: string,
): void {
  const given = credentialsOf(headers, query);
  const sameUser = secretsEqual(given.user, USER);
  const samePassword = secretsEqual(given.password, password);
  if (sameUser && samePassword) return;
  throw refusal(
    "AUTHENTICATION_FAILED",
    "Authentication failed: password is incorrect, or there is no user with such name.",
  );
}
