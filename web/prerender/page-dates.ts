import { execFile } from "node:child_process";
import { promisify } from "node:util";

import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { Route } from "../app/routes.ts";
import { elementsOfClass } from "./html-elements.ts";

const run = promisify(execFile);

/** The date of the last change that a page itself states, as legal pages do. */
export function statedDay(html: string): string | undefined {
  const [line] = elementsOfClass(html, "legal__date");
  return /dateTime="(\d{4}-\d\d-\d\d)"/i.exec(line?.inner ?? "")?.[1];
}

/**
 * The date of the last change to the page or its texts in this language, from the git history.
 * Undefined without a history.
 */
export async function dayOfChange(
  webRoot: string,
  route: Route,
  language: Locale,
): Promise<string | undefined> {
  const files = [
    `pages/${route.page}`,
    ...[route, ...route.sections].flatMap(({ namespaces }) =>
      namespaces.map((name) => `i18n/${language}/${name}.json`),
    ),
  ];
  try {
    const { stdout } = await run("git", ["log", "-1", "--format=%cs", "--", ...files], {
      cwd: webRoot,
    });
    return /^\d{4}-\d\d-\d\d$/m.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}
