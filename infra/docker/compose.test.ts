import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import * as accounts from "@pro-talent/accounts/env";
import { readMigrationEnv as readAccountsMigrationEnv } from "@pro-talent/accounts/migrate";
import * as collector from "@pro-talent/collector/env";
import { readServiceEnv as readInsightsEnv } from "@pro-talent/insights/env";
import * as ledger from "@pro-talent/ledger/env";
import { readHeadEnv } from "@pro-talent/ledger/heads/head-settings";
import { httpServiceEnv } from "@pro-talent/platform/config/define-env";
import { readServiceEnv as readSiteEnv } from "@pro-talent/site/env";
import * as studio from "@pro-talent/studio/env";
import { readMigrationEnv as readStudioMigrationEnv } from "@pro-talent/studio/migrate";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";

import { readServerEnv as readBackupEnv } from "../backup/settings.ts";
import { readMailEnv } from "../embedded/mail/mail-catcher.ts";
import { readProvisionOptions } from "../postgres/provision.ts";
import { compose, composeText, composeTree, containerRun, service } from "./compose-file.ts";
import { withSecrets } from "./secrets.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);

type Environment = Readonly<Record<string, string | undefined>>;
type Reader = (source: Environment) => unknown;

/** What reads the environment of each container. */
const READERS: Record<string, Reader[]> = {
  ledger: [(source) => [ledger.readServiceEnv(source), readHeadEnv(source)]],
  "ledger-worker": [(source) => [ledger.readWorkerEnv(source), readHeadEnv(source)]],
  accounts: [accounts.readServiceEnv],
  "accounts-worker": [accounts.readWorkerEnv],
  collector: [collector.readServiceEnv],
  "collector-worker": [collector.readWorkerEnv],
  backups: [readBackupEnv],
  insights: [readInsightsEnv],
  studio: [studio.readServiceEnv],
  "studio-worker": [studio.readWorkerEnv],
  site: [readSiteEnv],
  mail: [readMailEnv],
  migrate: [
    readProvisionOptions,
    ledger.readMigrationEnv,
    collector.readMigrationEnv,
    readAccountsMigrationEnv,
    readStudioMigrationEnv,
  ],
};
const SECRET = "a1b2c3d4".repeat(8);

function namesOfNetworks(name: string): string[] {
  const { networks = [] } = service(name);
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

/** The environment that a container gets, with every secret filled in. */
function environmentOf(name: string): Record<string, string> {
  const pairs = Object.entries(service(name).environment ?? {});
  return Object.fromEntries(
    pairs.map(([key, value]) => [key, value === null ? SECRET : filledIn(value)]),
  );
}

function filledIn(value: string): string {
  return value.replaceAll(
    /\$\{(\w+)(?::-([^}]*)|[^}]*)\}/gu,
    (_, name: string, setting?: string) =>
      setting ?? (name === "SMTP_URL" ? "smtp://mail:1025" : SECRET),
  );
}

/** The variables that a reader looks at. @throws as the reader does */
function namesRead(reader: Reader, environment: Environment): string[] {
  const names = new Set<string>();
  const get = (target: Environment, name: string): string | undefined => {
    names.add(name);
    return target[name];
  };
  reader(new Proxy(environment, { get }));
  return [...names];
}

describe("docker-compose.yml", () => {
  it("is valid by the Compose specification", () => {
    const path = join(require.resolve("docker-compose"), "../../schema/compose-spec.json");
    const schema: unknown = JSON.parse(
      readFileSync(path, "utf8").replace(
        'https://json-schema.org/draft-07/schema"',
        'http://json-schema.org/draft-07/schema#"',
      ),
    );
    const ajv = new Ajv({
      strict: false,
      allErrors: true,
      formats: { duration: true, subnet_ip_address: true, uri: true },
    });
    if (typeof schema !== "object" || schema === null) throw new Error("no schema");
    const validate = ajv.compile(schema);
    validate(composeTree);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ services: { a: { imagine: "b" } } })).toBe(false);
  });

  it.each(Object.entries(READERS))("gives %s all that it needs, and nothing else", (name, list) => {
    const environment = environmentOf(name);
    // Every service process reads where it listens, beside what its own reader asks for.
    const known = new Set([
      ...list.flatMap((reader) => namesRead(reader, environment)),
      ...(name === "migrate" ? [] : Object.keys(httpServiceEnv)),
    ]);
    expect(Object.keys(environment).filter((key) => !known.has(key))).toEqual([]);
    for (const reader of list) expect(() => reader({})).toThrow("The environment is not complete");
  });

  it("takes every secret from the environment, without a default, and .env.example lists them all", () => {
    const required = [...composeText.matchAll(/\$\{(\w+):\?[^}]*\}/gu)].map(([, name]) => name);
    const example = readFileSync(join(root, ".env.example"), "utf8");
    const listed = [...example.matchAll(/^(\w+)=(.*)$/gmu)];
    const choices = listed.flatMap(([, name, value]) => (value === "" ? [] : [[name, value]]));
    // Neither is a secret; mails of a public site need others.
    expect(choices).toEqual([
      ["COMPOSE_PROFILES", "catcher"],
      ["SMTP_URL", "smtp://mail:1025"],
    ]);
    const names = listed.map(([, name]) => name).filter((name) => name !== "COMPOSE_PROFILES");
    expect(new Set(names)).toEqual(new Set(required));
  });

  it("names every other setting with its default in .env.example", () => {
    const used = [...composeText.matchAll(/\$\{(\w+)(?!:\?)(?::-([^}]*))?\}/gu)].map(
      ([, name = "", value = ""]) => `${name}=${value}`,
    );
    const passedOn = Object.values(compose.services).flatMap(({ environment = {} }) =>
      Object.keys(environment).flatMap((name) => (environment[name] === null ? [`${name}=`] : [])),
    );
    const example = readFileSync(join(root, ".env.example"), "utf8");
    const listed = [...example.matchAll(/^# (\w+=.*)$/gmu)].map(([, setting]) => setting);
    expect(new Set(listed)).toEqual(new Set([...used, ...passedOn]));
  });

  it("lets only what sends mail or takes payments, and the gateways, reach the internet", () => {
    const { networks } = compose;
    const open = Object.keys(networks).filter((name) => networks[name]?.internal !== true);
    const reaching = Object.keys(compose.services).filter((name) =>
      namesOfNetworks(name).some((network) => open.includes(network)),
    );
    expect(new Set(reaching)).toEqual(
      new Set([
        "accounts-worker",
        "alertmanager",
        "gateway",
        "gateway-tls",
        "grafana",
        "ledger",
        "ledger-worker",
        "mail",
        "operator",
      ]),
    );
    expect(service("gateway").ports).toEqual(["${GATEWAY_BIND:-127.0.0.1}:3000:3000"]);
    expect(service("mail").ports).toEqual(["127.0.0.1:1080:3000"]);
  });

  it.each(Object.keys(compose.services))("pins the image of %s", (name) => {
    expect(service(name).image).toMatch(/^[\w./-]+:v?\d+[\w.-]*$/u);
  });

  it("names only files that exist", () => {
    const files = Object.values(compose.services).flatMap(
      ({ volumes = [], command = [], build }) => [
        ...volumes
          .filter((volume) => volume.startsWith("./"))
          .map((volume) => volume.split(":")[0] ?? ""),
        ...[command]
          .flat()
          .join(" ")
          .split(/[\s;&]+/u)
          .filter((part) => part.endsWith(".ts")),
        ...(build === undefined ? [] : [build.dockerfile]),
      ],
    );
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each([
    ...Object.keys(READERS),
    ..."gateway gateway-tls redis prometheus alertmanager tempo grafana".split(" "),
  ])("gives %s no privileges", (name) => {
    expect(service(name)).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  });

  it("limits the memory, the processors and the processes of every container", () => {
    const unlimited = Object.entries(compose.services).filter(
      ([, one]) =>
        one.mem_limit === undefined || one.cpus === undefined || one.pids_limit === undefined,
    );
    expect(unlimited.map(([name]) => name)).toEqual([]);
  });

  it("keeps every job: the queue is written to disk, never evicted, and full before its container is", () => {
    const { command = "", mem_limit: limit } = service("redis");
    expect([command].flat().join(" ")).toContain(
      "--appendonly yes --maxmemory 384mb --maxmemory-policy noeviction",
    );
    expect(limit).toBe("512m");
  });

  it("shows administrators every process of the product", () => {
    const listed = environmentOf("insights")["PROCESSES"]?.split(",") ?? [];
    const processes = Object.keys(READERS).filter(
      (name) => !["insights", "mail", "migrate"].includes(name),
    );
    expect(listed.toSorted()).toEqual(
      processes.map((name) => `${name}=http://${name}:3000`).toSorted(),
    );
  });

  it("gives a new .env a secret for each name, and changes none that is there", () => {
    const example = readFileSync(join(root, ".env.example"), "utf8");
    const first = withSecrets(example, undefined);
    const values = [...first.text.matchAll(/^\w+=([0-9a-f]{64})$/gmu)].map(([, value]) => value);
    expect(new Set(values).size).toBe(first.added.length - 2);
    expect(first.added).toContain("LEDGER_WRAPPING_KEY");
    const kept = withSecrets(example, "COLLECTOR_KEY=mine");
    expect(kept.text).toMatch(/^COLLECTOR_KEY=mine\n/u);
    // Where mails go is chosen once: an upgrade sends none to the catcher.
    expect(kept.added).toHaveLength(first.added.length - 3);
    expect(withSecrets(example, first.text)).toEqual({ text: first.text, added: [] });
  });

  it("catches mails in a profile alone; without it, or a mail server, nothing starts", () => {
    expect(service("mail").profiles).toEqual(["catcher"]);
    const senders = ["ledger-worker", "accounts-worker", "operator"];
    for (const name of senders) {
      expect(service(name).environment?.["SMTP_URL"]).toMatch(
        /^\$\{SMTP_URL:\?.*profile catcher\}$/u,
      );
    }
    const example = withSecrets(readFileSync(join(root, ".env.example"), "utf8"), undefined).text;
    const variables = Object.fromEntries(
      [...example.matchAll(/^(\w+)=(.*)$/gmu)].map(([, name = "", value = ""]) => [name, value]),
    );
    expect(containerRun("ledger-worker", variables).environment["SMTP_URL"]).toBe(
      "smtp://mail:1025",
    );
    const { SMTP_URL: _, ...without } = variables;
    for (const name of senders) {
      expect(() => containerRun(name, without)).toThrow("SMTP_URL is not set: a mail server, or");
    }
  });

  it("rotates and deletes the logs of every container", () => {
    const unbounded = Object.entries(compose.services).filter(
      ([, { logging }]) =>
        logging?.options["max-size"] === undefined || logging.options["max-file"] === undefined,
    );
    expect(unbounded.map(([name]) => name)).toEqual([]);
  });

  it("waits for what is healthy, and checks the health of every long-running service of the product", () => {
    const services = Object.keys(READERS).filter((name) => name !== "migrate");
    expect(services.filter((name) => service(name).healthcheck === undefined)).toEqual([]);
    const awaited = Object.values(compose.services).flatMap(({ depends_on = {} }) =>
      Object.entries(depends_on).map(([name, { condition }]) => ({ name, condition })),
    );
    const healthy = awaited.filter(({ condition }) => condition === "service_healthy");
    expect(healthy.length).toBeGreaterThan(4);
    expect(healthy.filter(({ name }) => service(name).healthcheck === undefined)).toEqual([]);
    const others = awaited.filter((dependency) => !healthy.includes(dependency));
    expect(new Set(others.map(({ name, condition }) => `${name} ${condition}`))).toEqual(
      new Set(["migrate service_completed_successfully"]),
    );
  });
});
