import type { IncomingHttpHeaders } from "node:http";
/** The only user of the embedded engine. */
export declare const USER = "default";
/**
 * Checks the credentials of a request in the three places where ClickHouse accepts them.
 * @throws {EngineError} 516 AUTHENTICATION_FAILED, the same for a wrong name and a wrong password
 */
export declare function authenticate(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  password: string,
): void;
