import { execFile } from "node:child_process";
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { clickhouseUrl, serviceUrl } from "../embedded/addresses.ts";
import type { InstanceSettings } from "../embedded/instance-context.ts";
import type { Identity } from "../embedded/process/process-spec.ts";
import { SupervisedProcess } from "../embedded/process/supervised-process.ts";
import type { ServiceDefinition } from "../embedded/services/service-definition.ts";
import { type ContainerRun, containerRun } from "./compose-file.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readyWithinMs = 120_000;

/** Volumes with files that commands of an instance use: they are the data directory itself. */
const ownVolumes = new Set(["accounts-keys", "ledger-keys", "spool", "studio-keys"]);

export type Variables = Readonly<Record<string, string>>;

/** What the processes of one product share. */
export type Stage = {
  readonly context: InstanceSettings;
  /** Of `.env`. */
  readonly variables: Variables;
  /** The user that they run as; else the one that starts them. */
  readonly identity: Identity | undefined;
  /** Where jobs wait. */
  readonly queueUrl: string;
  /** What a process gets beside what its container gets. */
  readonly more: (name: string) => NodeJS.ProcessEnv;
  readonly onLine: (name: string, line: string) => void;
};

/** The directory that stands for what is mounted. */
const directoryOf = ({ context }: Stage, of: string): string =>
  ownVolumes.has(of) ? context.dataDir : join(context.dataDir, "volumes", of);

/**
 * A text of a container as it is on this machine: addresses lead to loopback, paths to the directories that
 * stand for its mounts.
 * @throws when a path leads to what the container cannot write to
 */
function onThisMachine(stage: Stage, { mounts }: ContainerRun, text: string): string {
  const { context, queueUrl } = stage;
  const portOf = (name: string, port: string): number | undefined => {
    if (name === "postgres" || name === "clickhouse") return context.port(name);
    if (name === "mail" && port === "1025") return context.port("smtp");
    return context.hasPort(name) ? context.port(name) : undefined;
  };
  return (
    text
      .replace("redis://redis:6379", queueUrl)
      // The embedded engine has one user.
      .replace(/http:\/\/\w+:\w+@clickhouse:8123/u, clickhouseUrl(context))
      .replace("127.0.0.1:1080", `127.0.0.1:${context.port("mail")}`)
      .replace("172.30.57.10/31", "127.0.0.1")
      .replace("0.0.0.0", "127.0.0.1")
      .replaceAll(/(?<=[/@])([a-z-]+):(\d{4})\b/gu, (whole, name: string, port: string) => {
        const found = portOf(name, port);
        return found === undefined ? whole : `127.0.0.1:${found}`;
      })
      .replaceAll(/\/(?:var\/lib|run\/secrets)\/[\w./-]+/gu, (path) => {
        const mount = mounts.find((one) => path === one.path || path.startsWith(`${one.path}/`));
        if (mount === undefined) throw new Error(`Nothing is mounted at ${path}`);
        return directoryOf(stage, mount.of) + path.slice(mount.path.length);
      })
  );
}

/** The whole environment of a process: what its container has, and where this machine keeps programs. */
function environmentOf(stage: Stage, name: string, run: ContainerRun): NodeJS.ProcessEnv {
  const { context } = stage;
  const own = Object.entries(run.environment).map(([key, value]): [string, string] => [
    key,
    onThisMachine(stage, run, value),
  ]);
  const ports = {
    ...("PORT" in run.environment && { PORT: String(context.port(name)) }),
    ...("SMTP_PORT" in run.environment && { SMTP_PORT: String(context.port("smtp")) }),
  };
  return {
    NODE_ENV: "production",
    ...Object.fromEntries(own),
    ...ports,
    ...stage.more(name),
    PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
    TMPDIR: directoryOf(stage, `tmpfs/${name}/tmp`),
  };
}

async function makeDirectories(stage: Stage, run: ContainerRun): Promise<void> {
  for (const { of } of run.mounts) {
    const directory = directoryOf(stage, of);
    await mkdir(directory, { recursive: true });
    if (stage.identity !== undefined && !run.isRoot) {
      await chown(directory, stage.identity.uid, stage.identity.gid);
    }
  }
}

/** A process that runs what a container runs, as a user without privileges unless the container is root's. */
export async function processOf(stage: Stage, name: string): Promise<SupervisedProcess> {
  const { context, variables, identity } = stage;
  const run = containerRun(name, variables);
  await makeDirectories(stage, run);
  const [command = "", ...args] = run.command.map((word) => onThisMachine(stage, run, word));
  const health = `${serviceUrl(context, name)}${run.healthPath ?? ""}`;
  return new SupervisedProcess({
    name,
    program: { command, args, isReady: async () => (await fetch(health)).ok },
    environment: environmentOf(stage, name, run),
    directory: root,
    identity: run.isRoot ? undefined : identity,
    readyWithinMs,
    stopSignal: "SIGTERM",
    stopWithinMs: run.graceSeconds * 1000,
    onLine: (line) => stage.onLine(name, line),
    onEvent: () => undefined,
  });
}

/** A process of a service that no container runs. */
export function processBeside(
  stage: Stage,
  { name, environment }: ServiceDefinition,
  origin: string,
): SupervisedProcess {
  const { context, identity } = stage;
  const health = `${serviceUrl(context, name)}/readyz`;
  return new SupervisedProcess({
    name,
    program: {
      command: process.execPath,
      args: [`services/${name}/main.ts`],
      isReady: async () => (await fetch(health)).ok,
    },
    environment: {
      ...environment(context, origin),
      PORT: String(context.port(name)),
      ...stage.more(name),
    },
    directory: root,
    identity,
    readyWithinMs,
    stopSignal: "SIGTERM",
    stopWithinMs: readyWithinMs,
    onLine: (line) => stage.onLine(name, line),
    onEvent: () => undefined,
  });
}

/** Runs what the container `migrate` runs. @throws with the output of what failed */
export async function migrate(stage: Stage): Promise<void> {
  const run = containerRun("migrate", stage.variables);
  const [command = "", ...args] = run.command;
  await makeDirectories(stage, run);
  await promisify(execFile)(command, args, {
    cwd: root,
    env: environmentOf(stage, "migrate", run),
    ...stage.identity,
  });
}
