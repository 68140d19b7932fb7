import { chown, readFile } from "node:fs/promises";
import { join } from "node:path";

import { databaseUrl, runtimeOf, serviceUrl } from "../embedded/addresses.ts";
import { Engines } from "../embedded/engines.ts";
import { type InstanceContext, openInstance } from "../embedded/instance-context.ts";
import { choosePort } from "../embedded/ports.ts";
import { unprivilegedUser } from "../embedded/postgres/placement.ts";
import type { SupervisedProcess } from "../embedded/process/supervised-process.ts";
import { type Runtime, writeRuntime } from "../embedded/runtime-file.ts";
import type { Secrets } from "../embedded/secrets.ts";
import type { ServiceDefinition } from "../embedded/services/service-definition.ts";
import { type Answer, answerFor, siteHandles } from "./caddy-routes.ts";
import { compose, productContainers } from "./compose-file.ts";
import {
  migrate,
  processBeside,
  processOf,
  type Stage,
  type Variables,
} from "./container-process.ts";
import { openProcessGateway } from "./process-gateway.ts";
import { withSecrets } from "./secrets.ts";

export type ProcessesOptions = {
  readonly dataDir: string;
  /** Settings of `.env`, beside its secrets. */
  readonly settings?: Variables;
  /** Where jobs wait; in the product's database when absent. */
  readonly queueUrl?: string | undefined;
  /** Services that no container runs, behind the gateway like the others. */
  readonly beside?: readonly ServiceDefinition[];
  /** Containers that are left out. */
  readonly without?: readonly string[];
  /** What a process gets beside what its container gets, or (undefined) does not get. */
  readonly more?: (name: string, context: InstanceContext, origin: string) => NodeJS.ProcessEnv;
  readonly onLine?: (name: string, line: string) => void;
};

export type RunningProcesses = {
  readonly runtime: Runtime;
  readonly dataDir: string;
  /** Where jobs wait. */
  readonly queueUrl: string;
  readonly processes: ReadonlyMap<string, SupervisedProcess>;
  readonly stop: () => Promise<void>;
};

const neededEngines = ["postgres", "clickhouse"] as const;

/** Which secret of `.env` is which one of an instance, whose commands then work on the processes. */
const namesOfSecrets: Readonly<Record<string, keyof Secrets>> = {
  POSTGRES_PASSWORD: "postgresPassword",
  POSTGRES_OWNER_PASSWORD: "ownerPassword",
  LEDGER_APP_PASSWORD: "ledgerPassword",
  LEDGER_KEEPER_PASSWORD: "keeperPassword",
  LEDGER_OPERATOR_PASSWORD: "operatorPassword",
  LEDGER_VERIFIER_PASSWORD: "verifierPassword",
  LEDGER_INBOX_PASSWORD: "inboxPassword",
  COLLECTOR_APP_PASSWORD: "collectorPassword",
  ACCOUNTS_APP_PASSWORD: "accountsPassword",
  INSIGHTS_APP_PASSWORD: "insightsPassword",
  STUDIO_APP_PASSWORD: "studioPassword",
  JOBS_APP_PASSWORD: "jobsPassword",
  CLICKHOUSE_PASSWORD: "clickhousePassword",
  ANALYSTS_PSEUDONYM_KEY: "analystsKey",
  INTERNAL_TOKEN: "internalToken",
  MAIL_TOKEN: "mailToken",
  COLLECTOR_KEY: "collectorKey",
  ACCOUNTS_KEY: "accountsKey",
  STUDIO_KEY: "studioKey",
  LEDGER_WRAPPING_KEY: "ledgerWrappingKey",
  LEDGER_LOOKUP_KEY: "ledgerLookupKey",
  LEDGER_HEAD_SIGNING_KEY: "ledgerHeadKey",
  ERASURE_JOURNAL_KEY: "erasureJournalKey",
  BACKUP_WRAPPING_KEY: "backupWrappingKey",
  BACKUP_SIGNING_KEY: "backupSigningKey",
};
/** Settings with which key stores are where the commands of an instance look for them. */
const keyStores: Variables = Object.fromEntries(
  ["accounts", "ledger", "studio"].map((name) => [
    `${name.toUpperCase()}_KEY_STORE`,
    `file:///var/lib/${name}/${name}-keys.json`,
  ]),
);

/** The variables of `.env`, as `npm run secrets` makes it, with the secrets of an instance. */
async function variablesOf({ secrets }: InstanceContext, settings: Variables): Promise<Variables> {
  const example = await readFile(new URL("../../.env.example", import.meta.url), "utf8");
  const { text } = withSecrets(example, undefined);
  const made = [...text.matchAll(/^(\w+)=(.*)$/gmu)].map(
    ([, name = "", value = ""]): [string, string] => [name, value],
  );
  const known = Object.entries(namesOfSecrets).map(([name, secret]): [string, string] => [
    name,
    secrets[secret],
  ]);
  return {
    ...Object.fromEntries([...made, ...known]),
    ...keyStores,
    ...settings,
  };
}

/** Each as soon as what its container waits for is healthy. */
async function startInOrder(processes: ReadonlyMap<string, SupervisedProcess>): Promise<void> {
  const starting = new Map<string, Promise<void>>();
  const start = (name: string): Promise<void> => {
    const known = starting.get(name);
    if (known !== undefined) return known;
    const { depends_on: before = {} } = compose.services[name] ?? {};
    const needed = Object.keys(before).filter((one) => processes.has(one));
    const started = Promise.all(needed.map(start)).then(() => processes.get(name)?.start());
    starting.set(name, started);
    return started;
  };
  await Promise.all([...processes.keys()].map(start));
}

/**
 * Starts the product as `docker compose up` does, with a process in place of each container: the same commands,
 * variables and order, as a user without privileges, on the engines of `npm start`, behind a gateway with the
 * routes of the Caddyfile. A read-only file system and limits of memory need containers.
 * @throws {StartFailure} for what does not become healthy, with its last lines
 */
export async function startProcesses(options: ProcessesOptions): Promise<RunningProcesses> {
  const { beside = [], without = [] } = options;
  const containers = productContainers.filter((name) => !without.includes(name));
  const names = [...containers, ...beside.map(({ name }) => name)];
  const port = await choosePort();
  const origin = `http://localhost:${port}`;
  const context = await openInstance({ dataDir: options.dataDir, origin, serviceNames: names });
  const ends: (() => Promise<unknown>)[] = [() => context.close()];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const engines = new Engines(context, neededEngines, () => undefined);
    ends.push(() => engines.stop());
    await engines.ready();
    const settings = { PUBLIC_ORIGIN: origin, ...options.settings };
    const stage: Stage = {
      context,
      variables: await variablesOf(context, settings),
      identity: await unprivilegedUser(),
      queueUrl: options.queueUrl ?? databaseUrl(context, "jobs_app", context.secrets.jobsPassword),
      more: (name) => options.more?.(name, context, origin) ?? {},
      onLine: options.onLine ?? (() => undefined),
    };
    const runtime = runtimeOf(context, {
      startedAt: new Date().toISOString(),
      origin,
      engines: new Set(neededEngines),
      services: names,
      processes: [],
    });
    await writeRuntime(context.dataDir, runtime);
    await giveAway(stage);
    await migrate(stage);
    const processes = new Map<string, SupervisedProcess>();
    for (const name of containers) processes.set(name, await processOf(stage, name));
    for (const one of beside) processes.set(one.name, processBeside(stage, one, origin));
    ends.push(() => Promise.all(Array.from(processes.values(), (one) => one.stop())));
    await startInOrder(processes);
    const gateway = await openProcessGateway({
      port,
      answerOf: (url) => answerBeside(beside, url) ?? answerFor(siteHandles, url),
      instancesOf: (name) => [serviceUrl(context, name)],
    });
    ends.push(() => gateway.close());
    return {
      runtime,
      dataDir: context.dataDir,
      queueUrl: stage.queueUrl,
      processes,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a service answers that no container runs, by the first part of a path. */
function answerBeside(beside: readonly ServiceDefinition[], url: string): Answer | undefined {
  const [first = ""] = /^\/[^/?]*/u.exec(url) ?? [];
  const found = beside.find(({ routes }) => routes.includes(first));
  return found && { service: found.name, bytesMax: 64_000 };
}

/** The files of the instance, to those who run its processes and commands. */
async function giveAway({ context: { dataDir }, identity }: Stage): Promise<void> {
  if (identity === undefined) return;
  for (const file of ["", "secrets.json", "ports.json", "runtime.json"]) {
    await chown(join(dataDir, file), identity.uid, identity.gid);
  }
}
