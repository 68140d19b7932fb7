import { existsSync } from "node:fs";

import type {
  Asset,
  Code,
  DataClass,
  DataMap,
  DataStore,
  Retention,
} from "@pro-talent/schemas/primitives/data-map";
import { ProcessingRecord } from "@pro-talent/schemas/privacy/processing-record";

import type { StoredColumns } from "./stored-columns.ts";

/** What the product really has: a table, mail, job, kind of file or export. */
export type Found = {
  readonly store: DataStore;
  readonly name: string;
  /**
   * Fields with the class that their comment stands for; null where the declaration alone gives it.
   * Undefined where fields cannot be read from the source: the declaration names them.
   */
  readonly fields: Readonly<Record<string, DataClass | null>> | undefined;
};

/** An asset that exists and is declared, with the class of each field. */
type Mapped = {
  readonly found: Found;
  readonly asset: Asset;
  readonly classes: Readonly<Record<string, DataClass>>;
};

export type Kinds = "eraser" | "exporter" | "scanner";
const kinds = ["eraser", "exporter", "scanner"] as const satisfies readonly Kinds[];

/** What the databases have to erase with. */
type Handlers = Omit<StoredColumns, "Postgres" | "ClickHouse" | "Queue"> & {
  /** Jobs, timers and types of events, as the code names them. */
  readonly named: ReadonlySet<string>;
};

type Declared = { readonly store: string; readonly name: string; readonly asset: Asset };

const declaredIn = (map: DataMap): Declared[] =>
  Object.entries(map.assets).flatMap(([store, assets]) =>
    Object.entries(assets).map(([name, asset]) => ({ store, name, asset })),
  );

const concernsPeople = (classes: Readonly<Record<string, DataClass | null>>): boolean =>
  Object.values(classes).some((of) => of !== "none");

function mapped(found: Found, asset: Asset): Mapped {
  const fields = { ...found.fields, ...asset.fields };
  const classes = Object.fromEntries(
    Object.entries(fields).map(([field, of]) => [field, of ?? ("personal" as const)]),
  );
  return { found, asset, classes };
}

/** The name of the code that handles an asset, by which an engineer finds it. */
const nameOf = (code: Code): string => (typeof code === "function" ? code.name : code.sql);

/** What the product has and no part declares, or the reverse, or what a declaration names in vain. */
export function problemsOf(
  found: readonly Found[],
  maps: readonly DataMap[],
  stored: Handlers,
): string[] {
  const declared = maps.flatMap(declaredIn);
  const key = ({ store, name }: { store: string; name: string }): string => `${store} ${name}`;
  const byKey = Map.groupBy(declared, key);
  const names = new Set(declared.map(({ name }) => name));
  const exists = new Set(found.map(key));
  return [
    ...[...byKey].flatMap(([of, { length }]) => (length > 1 ? [`${of}: declared twice`] : [])),
    ...declared.filter((of) => !exists.has(key(of))).map((of) => `${key(of)}: does not exist`),
    ...found.flatMap((of) => {
      const asset = byKey.get(key(of))?.[0]?.asset;
      if (asset !== undefined) return fieldProblems(of, asset).map((text) => `${key(of)}${text}`);
      const isDeclarable = of.fields === undefined || concernsPeople(of.fields);
      return isDeclarable ? [`${key(of)}: no part declares it`] : [];
    }),
    ...declared.flatMap((of) =>
      handlingProblems(of, names, stored).map((text) => `${key(of)}: ${text}`),
    ),
  ];
}

function fieldProblems({ fields }: Found, asset: Asset): string[] {
  if (fields === undefined)
    return Object.keys(asset.fields).length === 0 ? [": no field is classified"] : [];
  const unknown = Object.keys(asset.fields).filter((field) => !Object.hasOwn(fields, field));
  const unclassified = Object.entries(fields).filter(
    ([field, of]) => of === null && asset.fields[field] === undefined,
  );
  const repeated = Object.entries(fields).filter(
    ([field, of]) => of !== null && asset.fields[field] === of,
  );
  return [
    ...unknown.map((field) => `.${field}: does not exist`),
    ...unclassified.map(([field]) => `.${field}: no class`),
    ...repeated.map(([field]) => `.${field}: the comment says the same`),
  ];
}

/** What a declaration names and the databases or the other declarations do not have. */
function handlingProblems(
  { name, asset }: Declared,
  names: ReadonlySet<string>,
  stored: Handlers,
): string[] {
  const { eraser, exporter, scanner, retention } = asset;
  const routines = [eraser, exporter, scanner, retention.enforcedBy].flatMap((handling) =>
    handling !== undefined && "code" in handling && handling.code && "sql" in handling.code
      ? [handling.code.sql]
      : [],
  );
  const referred = [
    ...(exporter?.by === "copy-of" ? [exporter.asset] : []),
    ...(eraser?.by === "unlinked" ? [eraser.from] : []),
  ];
  const statement = stored.statements.get(name);
  return [
    ...routines
      .filter((routine) => !stored.routines.has(routine))
      .map((routine) => `${routine} is not in the database`),
    ...referred.filter((of) => !names.has(of)).map((of) => `${of} is declared nowhere`),
    ...eraserProblems(name, eraser, stored),
    ...retentionProblems(name, retention, stored),
    ...(statement === undefined ? [] : ttlProblems(retention, statement)),
  ];
}

function eraserProblems(name: string, eraser: Asset["eraser"], stored: Handlers): string[] {
  if (eraser?.by === "cascade" && !stored.cascades.has(`${name} ${eraser.of}`))
    return [`no foreign key deletes it with ${eraser.of}`];
  if (eraser?.by === "event" && !stored.erasureEvents.has(eraser.type))
    return [`${eraser.type} is not an event that erases`];
  return [];
}

/** Ends that no program brings about at a time: they fit what has no period alone. */
const endless = new Set(["cascade", "event", "ledger", "no-person", "not-stored"]);

/** What is said to end a retention exists, and fits its clock. */
function retentionProblems(name: string, retention: Retention, stored: Handlers): string[] {
  const { clock, after, enforcedBy } = retention;
  const { by } = enforcedBy;
  if (after !== undefined && endless.has(by)) return [`a period is not kept by: ${by}`];
  switch (by) {
    case "job":
      return missing(enforcedBy.job, stored.named);
    case "timer":
      return missing(enforcedBy.timer, stored.named);
    case "event":
      return missing(enforcedBy.type, stored.named);
    case "cascade":
      return stored.cascades.has(`${name} ${enforcedBy.of}`)
        ? []
        : [`no foreign key deletes it with ${enforcedBy.of}`];
    case "configuration":
      return existsSync(enforcedBy.file) ? [] : [`there is no file ${enforcedBy.file}`];
    case "ttl":
      return after === undefined || !stored.statements.has(name) ? ["no rule of a table"] : [];
    case "ledger":
      return clock === "platform-closed" ? [] : [`the ledger keeps it, whatever ${clock} says`];
    default:
      return [];
  }
}

const missing = (wanted: string, named: ReadonlySet<string>): string[] =>
  named.has(wanted) ? [] : [`${wanted} is nowhere in the code`];

/** The rule of the table in ClickHouse deletes after what the declaration says. */
function ttlProblems({ after }: Asset["retention"], statement: string): string[] {
  if (after === undefined) return [];
  const stated = /\bTTL\b.*?toInterval(\w+)\((\d+)\)/su.exec(statement);
  const declared = `${after.count} ${after.unit}`;
  const real = stated === null ? "nothing" : `${stated[2]} ${stated[1]?.toLowerCase()}`;
  return declared === real ? [] : [`declared: ${declared}; the table's rule: ${real}`];
}

const personal = (
  found: readonly Found[],
  map: DataMap,
): readonly (Mapped & { readonly of: Declared })[] =>
  declaredIn(map).flatMap((of) => {
    const real = found.find(({ store, name }) => store === of.store && name === of.name);
    const one = real && mapped(real, of.asset);
    return one !== undefined && concernsPeople(one.classes) ? [{ ...one, of }] : [];
  });

/** Assets about people that nothing erases, exports or scans yet. */
export function unhandledIn(
  found: readonly Found[],
  maps: readonly DataMap[],
): Record<Kinds, string[]> {
  const assets = maps.flatMap((map) => personal(found, map));
  const without = (kind: Kinds): string[] =>
    assets
      .filter(({ asset }) => asset[kind] === undefined)
      .map(({ of }) => of.name)
      .toSorted();
  return { eraser: without("eraser"), exporter: without("exporter"), scanner: without("scanner") };
}

/** What officers read: the declarations, with the classes of the fields that really exist. */
export function recordOf(found: readonly Found[], maps: readonly DataMap[]): ProcessingRecord {
  const activities = maps.map((map) => ({
    ...map.activity,
    assets: personal(found, map).map(({ found: { store, name }, asset, classes }) => ({
      store,
      name,
      fields: Object.entries(classes)
        .filter(([, of]) => of !== "none")
        .map(([field, of]) => ({ name: field, class: of })),
      retention: {
        ...asset.retention,
        enforcedBy: handlingOf(asset.retention.enforcedBy),
      },
      ...Object.fromEntries(kinds.map((kind) => [kind, handlingOf(asset[kind])])),
    })),
  }));
  return ProcessingRecord.parse({
    activities: activities.filter(({ assets }) => assets.length > 0),
  });
}

/** The record's contract parses it: each kind has ways of its own. */
function handlingOf(
  handling: Asset[Kinds] | Retention["enforcedBy"] | undefined,
): { readonly by: string; readonly detail: string | null } | null {
  if (handling === undefined) return null;
  const { by } = handling;
  if ("law" in handling) return { by, detail: handling.law };
  if ("code" in handling) return { by, detail: nameOf(handling.code) };
  const [detail = null] = Object.entries(handling).flatMap(([part, of]) =>
    part === "by" ? [] : [of],
  );
  return { by, detail };
}
