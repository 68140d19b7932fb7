import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));

const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/gu;
const SCRIPT = /\bnpm (?:run (?:-s )?([a-z][\w:-]*)|(start|test)\b)/gu;
const PATH = /(?<=[`\s])(?:services|web|infra|schemas)\/(?:<[^>]*>|[\w./*{},-])*/gu;
/** Its reader writes the files of this domain. */
const TOY = { document: "infra/docs/add-a-domain.md", paths: /survey/u };

/** Headings as links name them. */
function anchorsOf(text: string): string[] {
  const headings = text.matchAll(/^#+ (.+)$/gmu);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** A placeholder (`<domain>`) matches any name; vitest takes a path without its suffix. */
function leadsToFile(path: string): boolean {
  const pattern = path.replaceAll(/<[^>]*>/gu, "*").replace(/[.,]+$/u, "");
  return globSync([pattern, `${pattern}.*`], { cwd: root }).length > 0;
}

/** Links, scripts and paths in a document of the repository that lead nowhere. */
function deadReferences(document: string, text: string): string[] {
  const prose = text.replaceAll(/^ *```.*?^ *```/gmsu, "");
  const links = [...prose.matchAll(LINK)].filter(([, file = "", anchor]) => {
    const target = file === "" ? document : relative(root, join(root, dirname(document), file));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(file === "" ? text : read(target)).includes(anchor);
  });
  const commands = [...text.matchAll(SCRIPT)].filter(
    ([, run, short]) => !Object.hasOwn(scripts, run ?? short ?? ""),
  );
  const paths = [...text.matchAll(PATH)].filter(
    ([path]) => !leadsToFile(path) && !(document === TOY.document && TOY.paths.test(path)),
  );
  return [...links, ...commands, ...paths].map(([found]) => `${document}: ${found}`);
}

it("links, commands and paths in the documents lead somewhere", () => {
  const documents = ["README.md", ...globSync("infra/docs/**/*.md", { cwd: root })];
  expect(documents.length).toBeGreaterThan(20);
  expect(documents.flatMap((path) => deadReferences(path, read(path)))).toEqual([]);
});

it("what leads nowhere is reported", () => {
  const dead =
    "[a](none.md) [b](#none) [c](README.md#none) `npm run none` `infra/none.ts` `web/<x>/none`";
  expect(deadReferences("README.md", dead)).toHaveLength(6);
  const good =
    "# A b\n[a](#a-b) [b](package.json) `npm run -s check:text` `infra/quality/<x>.ts` `web/*`";
  expect(deadReferences("README.md", good)).toEqual([]);
});
