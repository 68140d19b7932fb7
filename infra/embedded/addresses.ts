import { DATABASE, type OperatorRole, OWNER_ROLE } from "../postgres/roles.ts";
import { USER } from "./clickhouse/users.ts";
import type { InstanceSettings } from "./instance-context.ts";
import { mailAddress } from "./mail/require-mail-token.ts";
import type { Runtime } from "./runtime-file.ts";

/** The database of the product in ClickHouse. */
export const CLICKHOUSE_DATABASE = "pro_talent";

/** Address of the product's database in Postgres for a role. */
export function databaseUrl(context: InstanceSettings, role: string, password: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${context.port("postgres")}/${DATABASE}`;
}

/** Address of the product's database in Postgres for its owner. */
export function ownerUrl(context: InstanceSettings): string {
  return databaseUrl(context, OWNER_ROLE, context.secrets.ownerPassword);
}

/** Addresses of the product's database in Postgres for its operators, by their roles. */
export function operatorUrls(context: InstanceSettings): Record<OperatorRole, string> {
  const { secrets } = context;
  return {
    ledger_operator: databaseUrl(context, "ledger_operator", secrets.operatorPassword),
    ledger_verifier: databaseUrl(context, "ledger_verifier", secrets.verifierPassword),
    ledger_inbox: databaseUrl(context, "ledger_inbox", secrets.inboxPassword),
  };
}

/** Address of Postgres for its superuser. */
export function superuserUrl({ port, secrets }: InstanceSettings): string {
  return `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${port("postgres")}/postgres`;
}

/** Address of ClickHouse, with user and password. */
export function clickhouseUrl({ port, secrets }: InstanceSettings): string {
  return `http://${USER}:${secrets.clickhousePassword}@127.0.0.1:${port("clickhouse")}`;
}

/** Where caught mails are read, with the token. */
export function mailUrl(context: InstanceSettings): string {
  return mailAddress(serviceUrl(context, "mail"), context.secrets.mailToken);
}

/** Where mail is handed in. */
export function smtpUrl({ port }: InstanceSettings): string {
  return `smtp://127.0.0.1:${port("smtp")}`;
}

/** Base address of a service, past the gateway. */
export function serviceUrl({ port }: InstanceSettings, name: string): string {
  return `http://127.0.0.1:${port(name)}`;
}

/** Everything that runs, beside the mail catcher and the payments sandbox; tests have no backups. */
const processes =
  "accounts accounts-worker backups collector collector-worker ledger ledger-worker site studio studio-worker";

/** The processes whose state administrators see, as the insights service takes them. */
export function processAddresses(context: InstanceSettings): string {
  return processes
    .split(" ")
    .filter((name) => context.hasPort(name))
    .map((name) => `${name}=${serviceUrl(context, name)}`)
    .join(",");
}

/** Addresses of what an instance runs: its engines, and its services by their names. */
export function runtimeOf(
  context: InstanceSettings,
  {
    engines,
    services,
    ...own
  }: Pick<Runtime, "startedAt" | "origin" | "processes"> & {
    readonly engines: ReadonlySet<string>;
    readonly services: readonly string[];
  },
): Runtime {
  return {
    pid: process.pid,
    ...own,
    ...(engines.has("postgres") && {
      postgres: {
        superuserUrl: superuserUrl(context),
        ownerUrl: ownerUrl(context),
        operatorUrls: operatorUrls(context),
      },
    }),
    ...(engines.has("clickhouse") && {
      clickhouse: { url: clickhouseUrl(context), database: CLICKHOUSE_DATABASE },
    }),
    ...(services.includes("mail") && {
      mail: { smtpUrl: smtpUrl(context), webUrl: mailUrl(context) },
    }),
    services: Object.fromEntries(services.map((name) => [name, serviceUrl(context, name)])),
  };
}
