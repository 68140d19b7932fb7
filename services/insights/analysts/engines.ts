import { createHash, createHmac } from "node:crypto";

import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { LRUCache } from "lru-cache";

import type { QueryEngine } from "./run-query.ts";

type EngineOptions = {
  /** As the service's own user. */
  readonly url: string;
  /** That has the views. */
  readonly database: string;
  readonly pseudonymSecret: Buffer;
  /** Of the passwords of analysts' users on a server; without it their queries run as the service's own user. */
  readonly usersSecret: Buffer | undefined;
};

const application = "analysts";
/** Longer than a query may run. */
const requestTimeoutMs = (analystLimits.secondsMax + 10) * 1000;

/** The connections of analysts: on a server each has a user of their own. */
export class AnalystEngines {
  readonly #options: EngineOptions;
  readonly #own: ClickHouseClient;
  readonly #ofUsers = new LRUCache<string, ClickHouseClient>({
    max: 50,
    dispose: (client) => void client.close(),
  });

  constructor(options: EngineOptions) {
    this.#options = options;
    const maxConnections = 2 * analystLimits.runningMax;
    this.#own = connectClickhouse(options.url, { application, maxConnections, requestTimeoutMs });
  }

  /** The engine as one analyst uses it. No database: a name that is no view of the query finds nothing. */
  of(analystId: string): QueryEngine {
    const { database, pseudonymSecret, usersSecret } = this.#options;
    return {
      parser: this.#own,
      clickhouse: usersSecret === undefined ? this.#own : this.#userOf(analystId, usersSecret),
      database,
      pseudonymKey: pseudonymKeyOf(pseudonymSecret, analystId),
    };
  }

  #userOf(analystId: string, secret: Buffer): ClickHouseClient {
    const known = this.#ofUsers.get(analystId);
    if (known !== undefined) return known;
    const url = new URL(this.#options.url);
    url.username = userNameOf(analystId);
    url.password = userPasswordOf(secret, analystId);
    const client = connectClickhouse(url.href, { application, requestTimeoutMs });
    this.#ofUsers.set(analystId, client);
    return client;
  }

  async close(): Promise<void> {
    this.#ofUsers.clear();
    await this.#own.close();
  }
}

/** The user of an analyst on a server. */
export const userNameOf = (analystId: string): string =>
  `analyst_${analystId.replaceAll("-", "_")}`;

const userPasswordOf = (secret: Buffer, analystId: string): string =>
  createHmac("sha256", secret).update(`user ${analystId}`).digest("hex");

/** What the server stores of the password. */
export const userPasswordHash = (secret: Buffer, analystId: string): string =>
  createHash("sha256").update(userPasswordOf(secret, analystId)).digest("hex");

/**
 * The key under which visitors and sessions are named for one analyst: no other analyst, and no store, knows the names
 * that it makes. It leaves the service as a parameter of a query alone.
 * @param secret of the service alone
 */
export const pseudonymKeyOf = (secret: Buffer, analystId: string): string =>
  createHmac("sha256", secret).update(`pseudonyms of ${analystId}`).digest("hex");
