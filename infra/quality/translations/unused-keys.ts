import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

/** Every string of a source file; a template as a pattern with `*` for what is known at run time. */
function stringsOf(text: string): string[] {
  const strings: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) strings.push(node.text);
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(({ literal }) => `*${literal.text}`);
      strings.push(node.head.text + spans.join(""));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("a.tsx", text, ts.ScriptTarget.Latest));
  return strings;
}

/**
 * The keys that no source below `folder` has as a string, except tests. A string without
 * a dot counts for the namespaces that its file names, or for all when it names none. (A key without
 * a text is an error of the compiler: keys are typed.)
 */
export function unusedKeys(keys: ReadonlySet<string>, folder: string): string[] {
  const namespaces = new Set([...keys].map((key) => key.split(":")[0] ?? ""));
  const asked = new Set<string>();
  for (const file of globSync("**/*.{ts,tsx}", { cwd: folder })) {
    if (/(?:^|\/)(?:node_modules|dist|\.types|e2e)\/|\.(?:test|spec|d)\.tsx?$/u.test(file))
      continue;
    const strings = stringsOf(readFileSync(join(folder, file), "utf8"));
    const named = strings.filter((string) => namespaces.has(string));
    for (const string of strings)
      for (const namespace of named.length > 0 && !string.includes(".") ? named : namespaces)
        asked.add(string.includes(":") ? string : `${namespace}:${string}`);
  }
  const patterns = [...asked]
    .filter((key) => /^[\w*-]+:(?=.*\w{2})[\w.*-]+\.[\w.*-]+$/u.test(key) && key.includes("*"))
    .map((key) => new RegExp(`^${key.replaceAll(".", "\\.").replaceAll("*", "[\\w-]+")}$`, "u"));
  return [...keys].filter(
    (key) => !asked.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
}
