import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

import type { Route } from "../app/routes.ts";

const Chunk = z.object({
  file: z.string(),
  src: z.string().optional(),
  isEntry: z.boolean().optional(),
  imports: z.array(z.string()).optional(),
  css: z.array(z.string()).optional(),
  assets: z.array(z.string()).optional(),
});

/** Vite's manifest: source file to output file, with its imports. */
export const Manifest = z.record(z.string(), Chunk);
export type Manifest = z.infer<typeof Manifest>;

/**
 * The key of a named chunk.
 * @throws when there is none
 */
export function chunkNamed(manifest: Manifest, name: string): string {
  const key = Object.keys(manifest).find((candidate) => candidate.startsWith(`_${name}-`));
  if (key === undefined) throw new Error(`no chunk: ${name}`);
  return key;
}

/** The sources of a page: its code and texts, without its sections. */
export function sourcesOf({ page, namespaces }: Route, language: Locale): string[] {
  const texts = namespaces.map((name) => `i18n/${language}/${name}.json`);
  return [`pages/${page}/${page}-page.tsx`, ...texts];
}

export type Needs = { modules: string[]; styles: string[] };

/**
 * Every module and style that `sources` import statically, as paths from the root of the site.
 * @throws when a source is not part of the build
 */
export function needsOf(manifest: Manifest, sources: readonly string[]): Needs {
  const modules = new Set<string>();
  const styles = new Set<string>();
  const visit = (source: string): void => {
    const chunk = manifest[source];
    if (chunk === undefined) throw new Error(`not in the build: ${source}`);
    if (modules.has(`/${chunk.file}`)) return;
    modules.add(`/${chunk.file}`);
    for (const style of chunk.css ?? []) styles.add(`/${style}`);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const source of sources) visit(source);
  return { modules: [...modules], styles: [...styles] };
}
