import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

/**
 * Every string of a source file; a template as a pattern with `*` for what is known at run time, and
 * a key whose texts are read together (`returnObjects`) as a pattern with `**`.
 */
function stringsOf(text: string): string[] {
  const strings: string[] = [];
  const source = ts.createSourceFile("a.tsx", text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) strings.push(node.text);
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(({ literal }) => `*${literal.text}`);
      strings.push(node.head.text + spans.join(""));
    }
    if (ts.isCallExpression(node)) {
      const [key, options] = node.arguments;
      const together = options?.getText(source).includes("returnObjects") ?? false;
      if (together && key !== undefined && ts.isStringLiteralLike(key))
        strings.push(`${key.text}.**`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return strings;
}

/** What may be a key, or a pattern of keys: most strings of a source are not. */
const likeKey = /^[\w*.:-]+$/u;

/** The pattern of a string that is completed at run time, if it can be one of keys. */
function patternOf(asked: string): RegExp | undefined {
  if (!asked.includes("*") || !/^[\w*-]+:(?=.*\w{2})[\w.*-]+\.[\w.*-]+$/u.test(asked))
    return undefined;
  const text = asked
    .replaceAll(".", "\\.")
    .replaceAll("**", "[\\w.-]+")
    .replaceAll(/(?<!\])\*/gu, "[\\w-]+");
  return new RegExp(`^${text}$`, "u");
}

/**
 * The keys that no source below the folders has as a string, except tests. A string without
 * a dot counts for the namespaces that its file names, or for all when it names none. (A key without
 * a text is an error of the compiler: keys are typed.)
 */
export function unusedKeys(keys: ReadonlySet<string>, ...folders: readonly string[]): string[] {
  const namespaceOf = (key: string): string => key.split(":")[0] ?? "";
  const namespaces = new Set([...keys].map(namespaceOf));
  const asked = new Set<string>();
  const files = folders.flatMap((folder) =>
    globSync("**/*.{ts,tsx}", { cwd: folder }).map((file) => join(folder, file)),
  );
  for (const file of files) {
    if (/(?:^|\/)(?:node_modules|dist|\.types|e2e)\/|\.(?:test|spec|d)\.tsx?$/u.test(file))
      continue;
    const strings = new Set(
      stringsOf(readFileSync(file, "utf8")).filter((one) => likeKey.test(one)),
    );
    const named = [...strings].filter((string) => namespaces.has(string));
    for (const string of strings)
      for (const namespace of named.length > 0 && !string.includes(".") ? named : namespaces)
        asked.add(string.includes(":") ? string : `${namespace}:${string}`);
  }
  const patterns = Map.groupBy(asked, (key) => namespaceOf(key));
  const open = new Map(
    [...patterns].map(([namespace, all]) => [
      namespace,
      all.flatMap((one) => patternOf(one) ?? []),
    ]),
  );
  // A namespace may be known at run time alone.
  const anywhere = [...open].flatMap(([namespace, all]) => (namespace.includes("*") ? all : []));
  return [...keys].filter((key) => {
    const possible = [...(open.get(namespaceOf(key)) ?? []), ...anywhere];
    return !asked.has(key) && !possible.some((pattern) => pattern.test(key));
  });
}
