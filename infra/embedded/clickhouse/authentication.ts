import type { IncomingHttpHeaders } from "node:http";

import { secretsEqual } from "@pro-talent/platform/crypto/secrets";

import { refusal } from "./engine-error.ts";

/** The only user of the embedded engine. */
export const USER = "default";

/** User and password in the three places where ClickHouse accepts them. */
function credentialsOf(headers: IncomingHttpHeaders, query: URLSearchParams): [string, string] {
  const named = headers["x-clickhouse-user"];
  if (named !== undefined) return [String(named), String(headers["x-clickhouse-key"] ?? "")];
  const encoded = /^Basic +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (encoded === undefined) return [query.get("user") ?? USER, query.get("password") ?? ""];
  const [user = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return [user, rest.join(":")];
}

/**
 * Checks the credentials of a request.
 * @throws {EngineError} 516 AUTHENTICATION_FAILED, the same for a wrong name and a wrong password
 */
export function authenticate(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  password: string,
): void {
  const [givenUser, givenPassword] = credentialsOf(headers, query);
  const sameUser = secretsEqual(givenUser, USER);
  const samePassword = secretsEqual(givenPassword, password);
  if (sameUser && samePassword) return;
  throw refusal(
    "AUTHENTICATION_FAILED",
    "Authentication failed: password is incorrect, or there is no user with such name.",
  );
}
