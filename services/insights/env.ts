import {
  commaList,
  httpServiceEnv,
  internalToken,
  key256,
  parseEnv,
  postgresUrl,
  publicOrigin,
  trustedProxies,
} from "@pro-talent/platform/config/define-env";
import { z } from "zod";

/** A name and an address, as in `ledger=http://ledger:3000`. */
function addressOf(pair: string): { readonly name: string; readonly url: string } {
  const at = pair.indexOf("=");
  return { name: pair.slice(0, at), url: pair.slice(at + 1) };
}

/** What the service needs to run. @throws naming every variable that is missing or wrong */
export function readServiceEnv(source: Readonly<Record<string, string | undefined>>) {
  return parseEnv(
    {
      ...httpServiceEnv,
      /** The database, as the role `insights_app`, which may read sign-in sessions alone. */
      DATABASE_URL: postgresUrl,
      /** As a user that may read the views of owners and of the site, and no table. */
      CLICKHOUSE_URL: z.url(),
      CLICKHOUSE_DATABASE: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
        // Queries of analysts run in that one, where no table of the product may be.
        .refine((name) => name !== "default", "must not be default"),
      /**
       * The users of analysts on a ClickHouse server, which `npm run analysts` makes. Without it their queries run as
       * the user above, as in the embedded engine, behind the gate alone.
       */
      CLICKHOUSE_ANALYSTS_KEY: key256.optional(),
      /** Names visitors anew for each analyst. */
      ANALYSTS_PSEUDONYM_KEY: key256,
      /** Base address of the ledger, which knows links and plans. */
      LEDGER_URL: z.url(),
      /** Base address of the accounts service, which knows when owners looked. */
      ACCOUNTS_URL: z.url(),
      /** Shared by the services. */
      INTERNAL_TOKEN: internalToken,
      /** Of the site: calls of other sites are refused. */
      PUBLIC_ORIGIN: publicOrigin,
      /** Calls that one network may make in a minute. */
      CALLS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
      TRUSTED_PROXIES: trustedProxies,
      /** The processes whose state administrators see: `ledger=http://ledger:3000,…`. */
      PROCESSES: commaList
        .pipe(z.array(z.string().regex(/^[a-z-]+=https?:\/\//, "must be name=address")))
        .transform((pairs) => pairs.map((pair) => addressOf(pair))),
    },
    source,
  );
}
