import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { writersSql } from "../kernel/read-model-tables.ts";
import type { ReadModel } from "../kernel/read-model.ts";

/** A function as its definition has it: what the database must hold of it. */
type DeclaredFunction = {
  readonly body: string;
  readonly language: string;
  /** Runs with the rights of its owner. */
  readonly definer: boolean;
  /** The schemas in which it looks for names; empty for the caller's. */
  readonly searchPath: string;
};

/** A trigger on a table of the ledger. */
type DeclaredTrigger = {
  /** Those of its definition, in one order. */
  readonly words: string;
  /** Fires also where replication switches ordinary ones off. */
  readonly always: boolean;
};

export type Declared = {
  readonly functions: ReadonlyMap<string, DeclaredFunction>;
  readonly triggers: ReadonlyMap<string, DeclaredTrigger>;
};

const inLedger = (group: string): string => String.raw`"?ledger"?\."?(?<${group}>\w+)"?`;
const statements = new RegExp(
  [
    String.raw`create (?:or replace )?function ${inLedger("created")}(?<header>[^$;]*?)\bas (?<quote>\$\w*\$)(?<body>.*?)\k<quote>`,
    String.raw`drop function (?:if exists )?(?<dropped>[^;]*);`,
    String.raw`alter function ${inLedger("renamed")}\s*\([^)]*\) rename to (?<newName>\w+)`,
    String.raw`create trigger (?<trigger>\w+) (?<when>[^;]*?) on ${inLedger("table")}\s(?<action>[^;]*);`,
    String.raw`drop trigger (?:if exists )?(?<droppedTrigger>\w+) on ${inLedger("droppedOn")}`,
    String.raw`alter table ${inLedger("alwaysOn")} enable always trigger (?<always>\w+)`,
  ].join("|"),
  "gis",
);

/** The words of a definition in one order: the database writes them in another. */
export function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\w.]+/g) ?? []).toSorted().join(" ");
}

/**
 * The functions and triggers that migrations and read models define, by name: each as the last
 * definition of its name has it. Names of triggers are `<table>.<trigger>`.
 */
export function readDeclared(sqlText: string): Declared {
  const functions = new Map<string, DeclaredFunction>();
  const triggers = new Map<string, DeclaredTrigger>();
  // Comments may name functions too. Bodies keep theirs: they are compared as they are.
  for (const { groups = {} } of withoutComments(sqlText).matchAll(statements)) {
    applyToFunctions(functions, groups);
    applyToTriggers(triggers, groups);
  }
  return { functions, triggers };
}

type Groups = Readonly<Record<string, string | undefined>>;

function applyToFunctions(functions: Map<string, DeclaredFunction>, groups: Groups): void {
  const { created, dropped = "", renamed = "", newName = "" } = groups;
  if (created !== undefined) functions.set(created, functionOf(groups));
  for (const { groups: each } of dropped.matchAll(new RegExp(inLedger("name"), "g"))) {
    functions.delete(each?.["name"] ?? "");
  }
  const moved = functions.get(renamed);
  if (moved !== undefined && functions.delete(renamed)) functions.set(newName, moved);
}

function applyToTriggers(triggers: Map<string, DeclaredTrigger>, groups: Groups): void {
  const { trigger, table = "", when = "", action = "" } = groups;
  if (trigger !== undefined) {
    const words = wordsOf(`create trigger ${trigger} ${when} on ledger.${table} ${action}`);
    triggers.set(`${table}.${trigger}`, { words, always: false });
  }
  triggers.delete(`${groups["droppedOn"]}.${groups["droppedTrigger"]}`);
  const always = `${groups["alwaysOn"]}.${groups["always"]}`;
  const named = triggers.get(always);
  if (named !== undefined) triggers.set(always, { ...named, always: true });
}

function functionOf(groups: Groups): DeclaredFunction {
  const { header = "", body = "" } = groups;
  return {
    body,
    language: /\blanguage (\w+)/i.exec(header)?.[1] ?? "",
    definer: /\bsecurity definer\b/i.test(header),
    searchPath: /\bset search_path = (\w+(?:, \w+)*)/i.exec(header)?.[1] ?? "",
  };
}

/** Comments outside function bodies are blanked. */
function withoutComments(text: string): string {
  return text.replaceAll(/(\$\w*\$).*?\1|--[^\n]*/gs, (found) =>
    found.startsWith("$") ? found : "",
  );
}

/** What this version of the program has put into a database that it migrated. */
export async function declaredHere(readModels: readonly ReadModel[]): Promise<Declared> {
  const directory = fileURLToPath(new URL("../migrations", import.meta.url));
  const files = (await readdir(directory)).filter((file) => file.endsWith(".sql")).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), "utf8")));
  return readDeclared([...texts, ...readModels.map((model) => writersSql(model))].join("\n"));
}
