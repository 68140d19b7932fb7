import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import * as accounts from "@pro-talent/accounts/env";
import * as collector from "@pro-talent/collector/env";
import { readServiceEnv as readInsightsEnv } from "@pro-talent/insights/env";
import * as ledger from "@pro-talent/ledger/env";
import { readServiceEnv as readSiteEnv } from "@pro-talent/site/env";
import * as studio from "@pro-talent/studio/env";
import { Ajv } from "ajv";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { compose, service } from "../docker/compose-file.ts";
import {
  type Manifest,
  minimum,
  renderChart,
  valuesOf,
  valuesSchema,
  type Workload,
  workloadsIn,
} from "./chart.ts";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("../..", import.meta.url));
const caddyfile = readFileSync(`${root}infra/docker/Caddyfile`, "utf8");
const installation = {
  ...minimum,
  ingress: { host: "protalent.example", contentHost: "pages.example" },
  clickhouse: { cluster: "main", networks: ["192.0.2.0/24"] },
  monitoring: { enabled: true },
  tracing: { endpoint: "http://tempo.monitoring:4318" },
  gateway: { caddyfile },
};

type Model = new (manifest: object) => { readonly validate: () => void };

/**
 * Compares a manifest with the schema that Kubernetes publishes of its kind, as `kubernetes-models` compiles it.
 * @throws with every fault, and for a kind that Kubernetes does not have
 */
function check({ apiVersion, kind, ...parts }: Manifest): void {
  const models: unknown = require(`kubernetes-models/${apiVersion}`);
  const isModel = z.custom<Model>((value) => typeof value === "function");
  const { [kind]: Kind } = z.object({ [kind]: isModel }).parse(models);
  if (Kind === undefined) throw new Error(`There is no schema of ${kind}`);
  new Kind(parts).validate();
}

/** Of an operator that brings its own schema. */
const ownSchema = new Set(["ServiceMonitor"]);
/**
 * Containers of docker-compose.yml that the chart does not run: engines and what watches them have charts of their
 * own, mails are sent, ingress controllers end TLS, and backups read the files of the engine beside them.
 */
const elsewhere = new Set(
  "postgres clickhouse redis mail gateway-tls backups prometheus alertmanager tempo grafana".split(
    " ",
  ),
);

let manifests: Manifest[];
let workloads: Map<string, Workload>;
beforeAll(async () => {
  manifests = await renderChart(valuesOf(installation));
  workloads = new Map(workloadsIn(manifests).map((one) => [one.metadata.name, one]));
});

const podOf = (name: string) => {
  const found = workloads.get(name);
  if (found === undefined) throw new Error(`The chart has no ${name}`);
  return found.spec.template.spec;
};
const named = (kind: string): string[] =>
  manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);

describe("the chart", () => {
  it("runs every container of docker-compose.yml that is no engine, and nothing else", () => {
    const expected = Object.keys(compose.services).filter((name) => !elsewhere.has(name));
    expect([...workloads.keys()].toSorted()).toEqual(expected.toSorted());
  });

  it("renders manifests that the schemas of Kubernetes accept", () => {
    for (const manifest of manifests.filter(({ kind }) => !ownSchema.has(kind))) check(manifest);
    const metadata = { name: "wrong" };
    const wrong = { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas: "x" } };
    expect(() => check(wrong)).toThrow("data/spec/replicas must be integer");
    expect(() => check({ ...wrong, kind: "Deploiment" })).toThrow("Deploiment");
  });

  it("gives every process the command and the settings that its container has", () => {
    const forKubernetes = new Set([
      "POSTGRES_ADDRESS",
      "POSTGRES_REPLICA",
      "CLICKHOUSE_ADDRESS",
      "CLICKHOUSE_CLUSTER",
    ]);
    const started = [...workloads.keys()].filter((name) => !["gateway", "operator"].includes(name));
    const commands = started.map((name) => podOf(name).containers[0].command.join(" "));
    const ofContainers = started.map((name) => [service(name).command ?? []].flat().join(" "));
    expect(commands).toEqual(ofContainers.map((command) => command.replaceAll('"', "")));
    // Only needed where the set of DKIM is a file of the host, and where spans are sent.
    const optional = /^(?:MAIL_DKIM_|OTEL_)/u;
    for (const name of workloads.keys()) {
      if (name === "gateway") continue;
      const [{ env }] = podOf(name).containers;
      const { environment = {} } = service(name);
      const names = env.map((one) => one.name);
      const missing = Object.keys(environment).filter(
        (key) => !names.includes(key) && !optional.test(key),
      );
      expect({ name, missing }).toEqual({ name, missing: [] });
      const passwords = names.filter((key) => key.endsWith("_PASSWORD") || forKubernetes.has(key));
      const further = names.filter(
        (key) => !Object.hasOwn(environment, key) && !passwords.includes(key),
      );
      expect({ name, further }).toEqual({ name, further: [] });
    }
  });

  it("gives each service what it needs to start", () => {
    const readers: Record<string, (source: Record<string, string>) => unknown> = {
      ledger: ledger.readServiceEnv,
      "ledger-worker": ledger.readWorkerEnv,
      accounts: accounts.readServiceEnv,
      "accounts-worker": accounts.readWorkerEnv,
      collector: collector.readServiceEnv,
      "collector-worker": collector.readWorkerEnv,
      insights: readInsightsEnv,
      studio: studio.readServiceEnv,
      "studio-worker": studio.readWorkerEnv,
      site: readSiteEnv,
      migrate: collector.readMigrationEnv,
    };
    for (const [name, read] of Object.entries(readers)) read(environmentOf(name));
    expect(collector.readServiceEnv(environmentOf("collector"))).toMatchObject({
      CLICKHOUSE_CLUSTER: "main",
      CLICKHOUSE_URL: `http://pro_talent:${secret}@clickhouse:8123`,
      TRUSTED_PROXIES: ["10.42.0.0/16", "10.42.0.0/16"],
    });
  });

  it("takes every secret from the one Secret, each named in .env.example", () => {
    const example = readFileSync(`${root}.env.example`, "utf8");
    const known = new Set([...example.matchAll(/^(?:# )?([A-Z_]+)=/gmu)].map(([, name]) => name));
    const references = [...workloads.keys()].flatMap((name) =>
      podOf(name).containers[0].env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
    );
    expect(references.length).toBeGreaterThan(50);
    expect(new Set(references.map((one) => one.name))).toEqual(new Set(["pro-talent"]));
    expect(references.map(({ key }) => key).filter((key) => !known.has(key))).toEqual([]);
    expect(named("Secret")).toEqual([]);
  });

  it("gives no container a privilege, a file system to write to, or memory without end", () => {
    for (const name of workloads.keys()) {
      const pod = podOf(name);
      const [container] = pod.containers;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
      });
      const mounted = new Set(container.volumeMounts.map((mount) => mount.name));
      const there = [
        ...pod.volumes.map((volume) => volume.name),
        ...(name === "collector" ? ["own"] : []),
      ];
      expect([...mounted].toSorted()).toEqual(there.toSorted());
    }
  });

  it("asks every process whether it is ready, and lets one of them be away at a time", () => {
    const serving = [...workloads.keys()].filter((name) => !["migrate", "operator"].includes(name));
    for (const name of serving) {
      const [container] = podOf(name).containers;
      expect(container).toMatchObject({ name, readinessProbe: {}, livenessProbe: {} });
    }
    expect(named("PodDisruptionBudget").toSorted()).toEqual(serving.toSorted());
    expect(named("Service").toSorted()).toEqual(serving.toSorted());
    expect(named("HorizontalPodAutoscaler")).toEqual(["collector"]);
  });

  it("lets each process reach what its settings name, by name", () => {
    const policyOf = (name: string): string =>
      JSON.stringify(
        manifests.find(
          ({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name === name,
        ) ?? "",
      );
    const ports: Readonly<Record<string, number>> = {
      DATABASE_URL: 5432,
      DATABASE_OWNER_URL: 5432,
      DATABASE_OPERATOR_URL: 5432,
      CLICKHOUSE_URL: 8123,
      QUEUE_URL: 6379,
      SMTP_URL: 465,
      VAULT_TOKEN: 8200,
    };
    for (const name of workloads.keys()) {
      const names = podOf(name).containers[0].env.map((one) => one.name);
      const needed = new Set(names.flatMap((key) => ports[key] ?? []));
      const open = Object.values(ports).filter((port) => policyOf(name).includes(`:${port}}`));
      expect({ name, open: new Set(open) }).toEqual({ name, open: needed });
    }
    expect(policyOf("product")).toContain('"port":4318');
    // The migrations of an installation run before any other policy is there.
    for (const name of ["product", "migrate"]) expect(policyOf(name)).toContain('"port":53');
  });

  it("stays reachable without a store, gets the time that it is drained for, and is not ready before it works", () => {
    for (const name of workloads.keys()) {
      const { containers, ...pod } = podOf(name);
      expect(pod).toMatchObject({ terminationGracePeriodSeconds: 40 });
      if (["migrate", "operator", "gateway"].includes(name)) continue;
      expect(containers[0]).toMatchObject({
        startupProbe: { httpGet: { path: "/readyz" } },
        readinessProbe: { httpGet: { path: "/healthz" } },
        livenessProbe: { httpGet: { path: "/healthz" } },
      });
    }
  });

  it("takes the image of a digest, and from a private registry", async () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const others = await renderChart(
      valuesOf({ ...installation, image: { digest, pullSecret: "registry" } }),
    );
    for (const { metadata, spec } of workloadsIn(others)) {
      if (metadata.name === "gateway") continue;
      const [container] = spec.template.spec.containers;
      expect(container.image).toBe(`pro-talent/application@${digest}`);
      expect(spec.template.spec).toMatchObject({ imagePullSecrets: [{ name: "registry" }] });
    }
  });

  it("lets only what sends mail, takes payments or sends webhooks reach the internet", () => {
    const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy");
    const open = policies.filter((one) => JSON.stringify(one).includes("0.0.0.0/0"));
    expect(open.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      ["accounts-worker", "ledger", "ledger-worker", "operator"].toSorted(),
    );
    expect(policies.find(({ metadata }) => metadata.name === "nothing-else")).toMatchObject({
      spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
    });
    const engines = policies.filter((one) => JSON.stringify(one).includes("192.0.2.0/24"));
    expect(engines.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      ["collector", "collector-worker", "insights", "migrate"].toSorted(),
    );
  });

  it("migrates before anything starts, at installation and upgrade", () => {
    expect(workloads.get("migrate")?.metadata.annotations).toMatchObject({
      "helm.sh/hook": "pre-install,pre-upgrade",
    });
  });

  it("serves with the gateway's own file, and nothing is missing for one server of ClickHouse", async () => {
    expect(podOf("gateway").containers[0].image).toBe(service("gateway").image);
    expect(manifests.find(({ kind }) => kind === "ConfigMap")).toMatchObject({
      data: { Caddyfile: caddyfile },
    });
    const alone = {
      ...installation,
      clickhouse: {},
      monitoring: { enabled: false },
      ingress: { enabled: false },
    };
    const others = await renderChart(valuesOf(alone));
    const found = others.map(({ kind }) => kind);
    expect(found.filter((kind) => ["Ingress", "ServiceMonitor"].includes(kind))).toEqual([]);
    const text = JSON.stringify(workloadsIn(others));
    expect(text).not.toContain("CLICKHOUSE_CLUSTER");
    expect(text).not.toContain("<no value>");
  });

  it("refuses an installation without addresses, trusted networks or a mail server", () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(valuesSchema);
    expect(validate(valuesOf(installation))).toBe(true);
    expect(validate(valuesOf({ ...installation, trustedProxy: "10.0.0.0/8" }))).toBe(false);
    expect(validate(valuesOf({}))).toBe(false);
    const paths = validate.errors?.map(({ instancePath }) => instancePath);
    expect(paths).toEqual(
      expect.arrayContaining(["/publicOrigin", "/podNetworks", "/trustedProxies", "/mail/url"]),
    );
  });
});

const secret = "a1b2c3d4".repeat(8);

/** The environment of a process, with every secret filled in as Kubernetes fills it in. */
function environmentOf(name: string): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { name: key, value, valueFrom } of podOf(name).containers[0].env) {
    if (valueFrom?.secretKeyRef.optional === true) continue;
    environment[key] =
      value?.replaceAll(/\$\((\w+)\)/gu, (_, other: string) => environment[other] ?? "") ?? secret;
  }
  return environment;
}
