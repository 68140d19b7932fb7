import type { IncomingHttpHeaders } from "node:http";

import { secretsEqual } from "@pro-talent/platform/crypto/secrets";

import { refusal } from "./engine-error.ts";
import { passwordHash, USER, type User, type Users } from "./users.ts";

/** User and password in the three places where ClickHouse accepts them. */
function credentialsOf(headers: IncomingHttpHeaders, query: URLSearchParams): [string, string] {
  const named = headers["x-clickhouse-user"];
  if (named !== undefined) return [String(named), String(headers["x-clickhouse-key"] ?? "")];
  const encoded = /^Basic +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (encoded === undefined) return [query.get("user") ?? USER, query.get("password") ?? ""];
  const [user = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return [user, rest.join(":")];
}

/** Who sent a request; without `user` it is `default`, who may do everything. */
export type Sender = { name: string; user: User | undefined };

/**
 * Checks the credentials of a request.
 * @throws {EngineError} 516 AUTHENTICATION_FAILED, the same for a wrong name, a wrong password and one that has ended
 */
export function authenticate(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  { password, users }: { password: string; users: Users },
): Sender {
  const [name, givenPassword] = credentialsOf(headers, query);
  const sameUser = secretsEqual(name, USER);
  const samePassword = secretsEqual(givenPassword, password);
  if (sameUser && samePassword) return { name, user: undefined };
  const user = users.find(name);
  const isRight = secretsEqual(passwordHash(givenPassword), user?.passwordHash ?? "");
  const isValid = (user?.validUntil ?? Infinity) > Date.now();
  if (user !== undefined && isRight && isValid) return { name, user };
  throw refusal(
    "AUTHENTICATION_FAILED",
    "Authentication failed: password is incorrect, or there is no user with such name.",
  );
}
