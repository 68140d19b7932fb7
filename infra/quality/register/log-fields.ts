import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

const LEVELS = new Set(["fatal", "error", "warn", "info", "debug", "trace"]);

/** Whether a call writes to a log: `log.warn(…)`, `options.log.error(…)`. */
function isLogCall(call: ts.CallExpression): boolean {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || !LEVELS.has(callee.name.text)) return false;
  return /(^|[.#])(log|logger)$/u.test(callee.expression.getText());
}

/** The fields that a source file hands to a log; `…` for what cannot be told from the source. */
export function logFieldsOf(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isLogCall(node)) {
      const [first] = node.arguments;
      if (first !== undefined && ts.isObjectLiteralExpression(first)) {
        for (const property of first.properties) {
          found.push(property.name === undefined ? "…" : property.name.getText(source));
        }
      } else if (first !== undefined && !ts.isStringLiteralLike(first)) found.push("…");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Every field that the services hand to their logs, with the file where it stands. */
export function logFields(services: string): { field: string; file: string }[] {
  const files = globSync("**/*.ts", { cwd: services }).filter(
    (file) => !/node_modules|\.types|\.test\.ts$|\/testing\//u.test(file),
  );
  return files.flatMap((file) =>
    logFieldsOf(file, readFileSync(join(services, file), "utf8")).map((field) => ({ field, file })),
  );
}
