import { z } from "zod";

/** What two versions that run side by side share: rows, events, jobs, and the changes that were applied. */
export const ReleaseContracts = z.strictObject({
  /** Hash of each file of migrations. */
  migrations: z.record(z.string(), z.string()),
  /** By `schema.table.column`, views too. `required`: a row cannot be written without it. */
  columns: z.record(z.string(), z.strictObject({ type: z.string(), required: z.boolean() })),
  /** By `category/type`: the newest version, and a hash of its contract. */
  events: z.record(z.string(), z.strictObject({ version: z.int(), contract: z.string() })),
  /** By name of the job: each field of the payload with its contract. */
  jobs: z.record(z.string(), z.record(z.string(), z.string())),
});
export type ReleaseContracts = z.infer<typeof ReleaseContracts>;

/**
 * Why two releases cannot run side by side on the same stores; nothing when every change adds something. What
 * must go is taken away in the release after the last one that used it.
 */
export function breaksBetween(previous: ReleaseContracts, current: ReleaseContracts): string[] {
  return [
    ...migrationBreaks(previous.migrations, current.migrations),
    ...columnBreaks(previous.columns, current.columns),
    ...eventBreaks(previous.events, current.events),
    ...jobBreaks(previous.jobs, current.jobs),
  ];
}

type Of<Part extends keyof ReleaseContracts> = ReleaseContracts[Part];

function migrationBreaks(previous: Of<"migrations">, current: Of<"migrations">): string[] {
  return Object.entries(previous).flatMap(([file, hash]) => {
    if (current[file] === undefined) return [`${file} is gone`];
    return current[file] === hash ? [] : [`${file} was changed after it was released`];
  });
}

const tableOf = (column: string): string => column.slice(0, column.lastIndexOf("."));

function columnBreaks(previous: Of<"columns">, current: Of<"columns">): string[] {
  const tables = new Set(Object.keys(previous).map(tableOf));
  const changed = Object.entries(previous).flatMap(([name, { type, required }]) => {
    const now = current[name];
    if (now === undefined) return [`${name} is gone: the previous release reads or writes it`];
    if (now.type !== type) return [`${name} was ${type} and is ${now.type}`];
    if (now.required && !required) return [`${name} is required: the previous release omits it`];
    return [];
  });
  const added = Object.entries(current).flatMap(([name, { required }]) =>
    previous[name] === undefined && required && tables.has(tableOf(name))
      ? [`${name} is new and required: the previous release does not write it`]
      : [],
  );
  return [...changed, ...added];
}

function eventBreaks(previous: Of<"events">, current: Of<"events">): string[] {
  return Object.entries(previous).flatMap(([type, { version, contract }]) => {
    const now = current[type];
    if (now === undefined) return [`${type} is gone: stored events cannot be read`];
    if (now.version < version)
      return [`${type} was in version ${version} and is in ${now.version}`];
    if (now.version === version && now.contract !== contract)
      return [`${type} was changed without a new version and an upcast`];
    return [];
  });
}

function jobBreaks(previous: Of<"jobs">, current: Of<"jobs">): string[] {
  return Object.entries(previous).flatMap(([job, fields]) => {
    const now = current[job];
    if (now === undefined) return [`the job ${job} is gone, and may be waiting`];
    const changed = Object.entries(fields).flatMap(([field, contract]) =>
      now[field] === contract ? [] : [`${field} of the job ${job} was changed`],
    );
    const added = Object.entries(now).flatMap(([field, contract]) =>
      fields[field] === undefined && !contract.includes(".optional()")
        ? [`${field} of the job ${job} is new and required: waiting jobs do not have it`]
        : [],
    );
    return [...changed, ...added];
  });
}
