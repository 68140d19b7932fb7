import { globSync, readFileSync } from "node:fs";

import { accountsDataMaps } from "@pro-talent/accounts/data-map";
import { collectorDataMaps } from "@pro-talent/collector/data-map";
import { spoolAssets } from "@pro-talent/collector/spool/data-assets";
import { insightsDataMaps } from "@pro-talent/insights/data-map";
import { ledgerDataMaps } from "@pro-talent/ledger/data-map";
import { logFields } from "@pro-talent/platform/runtime/logger";
import { spanFields } from "@pro-talent/platform/tracing/spans";
import { httpApi } from "@pro-talent/schemas/http-api";
import type { Calls } from "@pro-talent/schemas/primitives/calls";
import type { DataClass, DataMap, DataStore } from "@pro-talent/schemas/primitives/data-map";
import { studioDataMaps } from "@pro-talent/studio/data-map";

import { backupDataMaps } from "../../backup/data-map.ts";
import { embeddedDataMaps } from "../../embedded/data-map.ts";
import type { Found } from "./compare-data-maps.ts";
import type { Column, StoredColumns } from "./stored-columns.ts";

/** What all parts declare. */
export const dataMaps: readonly DataMap[] = [
  ...accountsDataMaps,
  ...ledgerDataMaps,
  ...collectorDataMaps,
  ...insightsDataMaps,
  ...studioDataMaps,
  ...backupDataMaps,
  ...embeddedDataMaps,
];

/** What the class in a comment says about people; a declaration may say otherwise of a field. */
const classes: Readonly<Record<string, DataClass>> = {
  operational: "none",
  pseudonym: "reference",
  coarse: "personal",
  content: "personal",
};

/** @returns null for a comment without a known class: the declaration has to give one */
function classOf(field: string, comment: string): DataClass | null {
  const [stated = ""] = comment.split(":");
  const isSealed = stated === "content" && field.startsWith("sealed");
  return isSealed ? "sealed" : (classes[stated] ?? null);
}

const classesOf = (fields: readonly (readonly [string, string])[]): Found["fields"] =>
  Object.fromEntries(fields.map(([field, comment]) => [field, classOf(field, comment)]));

function tables(store: DataStore, columns: readonly Column[]): Found[] {
  const byTable = Map.groupBy(columns, ({ table }) => table);
  return [...byTable].map(([name, own]) => ({
    store,
    name,
    fields: classesOf(own.map(({ field, comment }) => [field, comment])),
  }));
}

const destinations = new Map([
  ["event record", "events"],
  ["quarantined record", "events"],
  ["counter record", "counters_daily"],
]);

/** The records of the spool: their own fields, and those of the table that they go to. */
function spool(inClickhouse: readonly Found[]): Found[] {
  const fieldsOf = (table: string | undefined): Found["fields"] =>
    inClickhouse.find(({ name }) => name === table)?.fields;
  return Object.entries(spoolAssets).map(([name, { fields }]) => ({
    store: "spool",
    name,
    fields: {
      ...classesOf(Object.entries(fields)),
      ...fieldsOf(destinations.get(name)),
    },
  }));
}

/** Sources of the services, without tests. */
function sources(): readonly { readonly path: string; readonly text: string }[] {
  const root = new URL("../../..", import.meta.url);
  const paths = globSync("services/**/*.ts", {
    cwd: root,
    exclude: (name) => /^(?:node_modules|\.types|testing)$|\.test\.ts$/u.test(name),
  });
  return paths.map((path) => ({ path, text: readFileSync(new URL(path, root), "utf8") }));
}

const JOB =
  /defineJob\(\{\s*name: "(?<name>[^"]+)",\s*payload: z\.strictObject\(\{(?<of>[^}]*)\}\)/gu;

/** The names of jobs, timers and types of events in the code, beside the declarations that name them. */
export function namedInCode(): ReadonlySet<string> {
  const names = sources()
    .filter(({ path }) => !path.endsWith("data-map.ts"))
    .flatMap(({ text }) => [...text.matchAll(/"([a-z-]+\.[a-z-]+|[A-Z][A-Za-z]+)"/gu)]);
  return new Set(names.map(([, name = ""]) => name));
}

/** Mails, jobs and kinds of files, by what their code cannot do without. */
function inSources(): Found[] {
  const all = sources().filter(({ path }) => !path.startsWith("services/platform/"));
  const found = (store: DataStore, path: string): Found => ({
    store,
    name: path,
    fields: undefined,
  });
  return all.flatMap(({ path, text }) => {
    const jobs = [...text.matchAll(JOB)].map(({ groups: { name = "", of = "" } = {} }) => ({
      store: "queue" as const,
      name,
      fields: Object.fromEntries(
        [...of.matchAll(/(\w+):/gu)].map(([, field = ""]) => [field, null]),
      ),
    }));
    if (jobs.length !== text.split("defineJob({").length - 1)
      throw new Error(`${path}: the payload of a job is not read; write it in its definition`);
    return [
      ...jobs,
      ...(text.includes("/mail/render-mail") ? [found("mail", path)] : []),
      ...(/files\/file-store"/u.test(text) && text.includes(".write(")
        ? [found("files", path)]
        : []),
    ];
  });
}

/** Calls that answer with a file. */
function exports(): Found[] {
  const calls: Calls = httpApi;
  return Object.entries(calls).flatMap(([name, { file }]) =>
    file === undefined ? [] : [{ store: "export" as const, name, fields: undefined }],
  );
}

/** Everything in which the product keeps or sends data. */
export function productData(stored: StoredColumns): Found[] {
  const inClickhouse = tables("clickhouse", stored.ClickHouse);
  return [
    ...tables("postgres", stored.Postgres),
    ...inClickhouse,
    ...tables("queue", stored.Queue),
    ...spool(inClickhouse),
    { store: "log", name: "service log", fields: classesOf(Object.entries(logFields)) },
    { store: "log", name: "traces", fields: classesOf(Object.entries(spanFields)) },
    ...inSources(),
    ...exports(),
    { store: "backup", name: "backups", fields: undefined },
    { store: "backup", name: "erasure journal", fields: undefined },
    { store: "files", name: "caught mails", fields: undefined },
  ];
}
