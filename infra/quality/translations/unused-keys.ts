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

/**
 * The keys that no source below the folders has as a string, except tests. A string without
 * a dot counts for the namespaces that its file names, or for all when it names none. (A key without
 * a text is an error of the compiler: keys are typed.)
 */
export function unusedKeys(keys: ReadonlySet<string>, ...folders: readonly string[]): string[] {
  const namespaces = new Set([...keys].map((key) => key.split(":")[0] ?? ""));
  const asked = new Set<string>();
  const files = folders.flatMap((folder) =>
    globSync("**/*.{ts,tsx}", { cwd: folder }).map((file) => join(folder, file)),
  );
  for (const file of files) {
    if (/(?:^|\/)(?:node_modules|dist|\.types|e2e)\/|\.(?:test|spec|d)\.tsx?$/u.test(file))
      continue;
    const strings = stringsOf(readFileSync(file, "utf8"));
    const named = strings.filter((string) => namespaces.has(string));
    for (const string of strings)
      for (const namespace of named.length > 0 && !string.includes(".") ? named : namespaces)
        asked.add(string.includes(":") ? string : `${namespace}:${string}`);
  }
  const patterns = [...asked]
    .filter((key) => /^[\w*-]+:(?=.*\w{2})[\w.*-]+\.[\w.*-]+$/u.test(key) && key.includes("*"))
    .map(
      (key) =>
        new RegExp(
          `^${key
            .replaceAll(".", "\\.")
            .replaceAll("**", "[\\w.-]+")
            .replaceAll(/(?<!\])\*/gu, "[\\w-]+")}$`,
          "u",
        ),
    );
  return [...keys].filter(
    (key) => !asked.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
}
