import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { parse as render } from "@evertdespiegeleer/go-template";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";

const chart = fileURLToPath(new URL("pro-talent/", import.meta.url));
const read = (path: string): string => readFileSync(`${chart}${path}`, "utf8");

type Values = Record<string, z.core.util.JSONType>;

const Env = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .object({
      secretKeyRef: z.object({
        name: z.string(),
        key: z.string(),
        optional: z.boolean().optional(),
      }),
    })
    .optional(),
});
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  env: z.array(Env),
  securityContext: z.looseObject({}),
  resources: z.looseObject({ limits: z.looseObject({ memory: z.string() }) }),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
  readinessProbe: z.looseObject({}).optional(),
  livenessProbe: z.looseObject({}).optional(),
});
const Pod = z.looseObject({
  securityContext: z.looseObject({}),
  containers: z.tuple([Container]),
  volumes: z.array(z.looseObject({ name: z.string() })),
});
export const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});
export type Manifest = z.infer<typeof Manifest>;
const Workload = Manifest.extend({
  spec: z.looseObject({ template: z.looseObject({ spec: Pod }) }),
});
export type Workload = z.infer<typeof Workload>;

export const chartDefaults = z.record(z.string(), z.json()).parse(parse(read("values.yaml")));
export const valuesSchema = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(read("values.schema.json")));
const parts = read("templates/parts.tpl");
const templateNames = readdirSync(`${chart}templates`)
  .filter((name) => name.endsWith(".yaml"))
  .toSorted();

/** What every installation states. */
export const minimum: Values = {
  publicOrigin: "https://protalent.example",
  podNetworks: "10.42.0.0/16",
  trustedProxies: "10.42.0.0/16",
  mail: {
    url: "smtps://mail.example:465",
    from: "Pro Talent <hello@protalent.example>",
    ports: [465],
  },
};

/** Values of an installation over those of the chart; maps are joined as Helm joins them. */
export function valuesOf(own: Values): Values {
  const all = joined(chartDefaults, own);
  if (!isMap(all)) throw new TypeError("values are a map");
  return all;
}

function joined(base: z.core.util.JSONType, own: z.core.util.JSONType): z.core.util.JSONType {
  if (!isMap(base) || !isMap(own)) return own;
  const names = [...new Set([...Object.keys(base), ...Object.keys(own)])];
  return Object.fromEntries(
    names.map((name) => {
      const [before, after] = [base[name], own[name]];
      if (after === undefined) return [name, before ?? null];
      return [name, before === undefined ? after : joined(before, after)];
    }),
  );
}

const isMap = (value: z.core.util.JSONType): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A setting that a workload does not have is nothing to Helm, and an error to the program that renders here: each
 * gets what any of them has, as null.
 */
function completed(workloads: z.core.util.JSONType): z.core.util.JSONType {
  if (!isMap(workloads)) return workloads;
  const all = Object.values(workloads).filter(isMap);
  const nothing = Object.fromEntries(
    all.flatMap((one) => Object.keys(one)).map((key) => [key, null]),
  );
  return Object.fromEntries(
    Object.entries(workloads).map(([name, one]) => [
      name,
      isMap(one) ? { ...nothing, ...one } : one,
    ]),
  );
}

/**
 * The manifests of an installation. The templates use only what Go's template language has itself, which is what
 * renders them here; Helm adds functions to it and changes none.
 */
export async function renderChart(values: Values): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const name of templateNames) {
    const data = {
      Values: { ...values, workloads: completed(values["workloads"] ?? null) },
      Release: { Name: "pro-talent", Namespace: "pro-talent", Revision: 1 },
    };
    const text = await render(parts + read(`templates/${name}`), data);
    for (const document of parseAllDocuments(text)) {
      if (document.errors.length > 0) throw new Error(`${name}: ${String(document.errors[0])}`);
      const content: unknown = document.toJS();
      if (content !== null) manifests.push(Manifest.parse(content));
    }
  }
  return manifests;
}

/** Those that run containers. */
export function workloadsIn(manifests: readonly Manifest[]): Workload[] {
  const running = new Set(["Deployment", "StatefulSet", "Job"]);
  return manifests.filter(({ kind }) => running.has(kind)).map((one) => Workload.parse(one));
}
