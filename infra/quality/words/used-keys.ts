import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

/** A key as a source file asks for it; `pattern` when part of it is decided at run time. */
type Asked = { file: string; wording: string; pattern: RegExp };
export type Usage = { asked: Asked[]; literals: Set<string> };

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);

/** The pattern of a literal key, or of a template such as `plans.${code}.name`. */
function keyPattern(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return escape(node.text);
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map((span) => `[\\w-]+${escape(span.literal.text)}`);
  return escape(node.head.text) + spans.join("");
}

function calledName(call: ts.CallExpression): string {
  const callee = call.expression;
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : "";
}

/** The namespaces and the key prefix that `useTranslation` fixes for a file. */
function scopeOf(source: ts.SourceFile): { namespaces: string[]; prefix: string } {
  const scope = { namespaces: new Array<string>(), prefix: "" };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(useTranslation|getFixedT)$/u.test(calledName(node))) {
      const text = node.arguments.map((argument) => argument.getText(source)).join(",");
      const prefix = /keyPrefix:\s*['"](?<prefix>[^'"]+)/u.exec(text)?.groups?.["prefix"];
      if (prefix !== undefined) scope.prefix = `${prefix}.`;
      for (const argument of node.arguments) {
        const names = ts.isArrayLiteralExpression(argument) ? argument.elements : [argument];
        for (const name of names)
          if (ts.isStringLiteralLike(name)) scope.namespaces.push(name.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return scope;
}

/** The expression that names a text: the first argument of `t(…)` or `i18nKey={…}` of `<Trans>`. */
function keyExpression(node: ts.Node): ts.Node | undefined {
  if (ts.isCallExpression(node) && calledName(node) === "t") return node.arguments[0];
  if (ts.isJsxAttribute(node) && node.name.getText() === "i18nKey") {
    const value = node.initializer;
    return value !== undefined && ts.isJsxExpression(value) ? value.expression : value;
  }
  return undefined;
}

function readFile(file: string, text: string, usage: Usage): void {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const { namespaces, prefix } = scopeOf(source);
  const spaces = namespaces.length === 0 ? "[^:]+" : `(?:${namespaces.map(escape).join("|")})`;
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) usage.literals.add(node.text);
    const key = keyExpression(node);
    const pattern = key === undefined ? undefined : keyPattern(key);
    if (key !== undefined && pattern !== undefined) {
      const whole = pattern.includes(":") ? pattern : `${spaces}:${escape(prefix)}${pattern}`;
      usage.asked.push({
        file,
        wording: key.getText(source),
        pattern: new RegExp(`^${whole}$`, "u"),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/** Which keys the sources below `folder` ask for. Tests do not count. */
export function readUsage(folder: string): Usage {
  const usage: Usage = { asked: [], literals: new Set() };
  for (const file of globSync("**/*.{ts,tsx}", { cwd: folder })) {
    if (/(^|\/)(node_modules|dist|\.types|e2e)\/|\.(test|spec)\.tsx?$|\.d\.ts$/u.test(file))
      continue;
    readFile(file, readFileSync(join(folder, file), "utf8"), usage);
  }
  return usage;
}

/**
 * Keys that are asked for and do not exist, and keys that exist and are never asked for. A key that
 * stands as a plain string somewhere (`{ label: 'nav.about' }`) counts as asked for.
 */
export function compareUsage(keys: ReadonlySet<string>, usage: Usage): string[] {
  const all = [...keys];
  const used = new Set<string>();
  const problems: string[] = [];
  for (const { file, wording, pattern } of usage.asked) {
    const hits = all.filter((key) => pattern.test(key));
    for (const hit of hits) used.add(hit);
    if (hits.length === 0) problems.push(`${file} asks for ${wording}, which no catalogue has`);
  }
  for (const key of all) {
    const bare = key.slice(key.indexOf(":") + 1);
    if (!used.has(key) && !usage.literals.has(key) && !usage.literals.has(bare)) {
      problems.push(`nothing asks for ${key}`);
    }
  }
  return problems;
}
