import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** A path in bold, then its code: a whole file, or a change of an existing one. */
const block = /^\*\*`([^`]+)`\*\*\n\n```(\w+)\n([\s\S]*?)```$/gm;

let clone: string;
const created: string[] = [];
const changed = new Set<string>();

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), "add-a-domain-"));
  await copyTree();
  const guide = await readFile(join(root, "infra/docs/add-a-domain.md"), "utf8");
  for (const [, path = "", language, code = ""] of guide.matchAll(block)) {
    if (language === "diff") await change(path, code);
    else await create(path, code);
  }
});
afterAll(() => rm(clone, { recursive: true, force: true }));

/** The tree as git knows it; packages of the workspace lead to the copy, all others to the original. */
async function copyTree(): Promise<void> {
  const known = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run("git", known, { cwd: root, maxBuffer: 2 ** 26 });
  const packages = ["schemas", "infra", "web"];
  for (const file of stdout.split("\0").filter((name) => name !== "")) {
    await cp(join(root, file), join(clone, file)).catch(ignoreMissing);
    if (/^services\/[\w-]+\/package\.json$/.test(file)) packages.push(dirname(file));
  }
  for (const folder of ["", ...packages]) {
    const modules = join(folder, "node_modules");
    for (const name of await readdir(join(root, modules)).catch(() => [])) {
      if (name === "@pro-talent") continue;
      await mkdir(join(clone, modules), { recursive: true });
      await symlink(join(root, modules, name), join(clone, modules, name));
    }
  }
  await mkdir(join(clone, "node_modules/@pro-talent"));
  for (const folder of packages) {
    const name = folder.replace("services/", "");
    await symlink(join(clone, folder), join(clone, "node_modules/@pro-talent", name));
  }
}

/** A file that was deleted, but not committed yet. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

async function create(path: string, code: string): Promise<void> {
  await mkdir(dirname(join(clone, path)), { recursive: true });
  await writeFile(join(clone, path), code, { flag: "wx" });
  created.push(path);
}

async function change(path: string, diff: string): Promise<void> {
  const lines = diff.trimEnd().split("\n");
  const side = (leftOut: string) =>
    lines.flatMap((line) => (line.startsWith(leftOut) ? [] : [`${line.slice(1)}\n`])).join("");
  const before = await readFile(join(clone, path), "utf8");
  expect(before.split(side("+")), `${path} holds the lines once`).toHaveLength(2);
  await writeFile(join(clone, path), before.replace(side("+"), side("-")));
  changed.add(path);
}

/** Runs a program of the tree. @throws with its output when it fails */
async function program(...args: string[]): Promise<void> {
  const environment = { ...process.env, VITEST: undefined, TEST_ROOT: clone };
  const options = { cwd: clone, env: environment, maxBuffer: 2 ** 26 };
  const { stdout, failed } = await run(process.execPath, args, options).then(
    (output) => ({ ...output, failed: false }),
    (error: unknown) => ({
      stdout: z.object({ stdout: z.string() }).parse(error).stdout,
      failed: true,
    }),
  );
  if (failed) throw new Error(`${args.join(" ")}\n${stdout}`);
}

/**
 * Checks the types of all that the guide adds and changes in a folder, and of what that imports. A build
 * would check the whole tree again, for minutes, as the first check of every branch does.
 */
async function checkTypes(folder: string, base: string): Promise<void> {
  const touched = [...created, ...changed].filter(
    (path) => path.startsWith(`${folder}/`) && /\.tsx?$/u.test(path),
  );
  const project = join(clone, folder, "tsconfig.guide.json");
  const settings = {
    extends: `./${base}`,
    compilerOptions: { composite: false, emitDeclarationOnly: false, noEmit: true },
    include: [],
    files: touched.map((path) => join(clone, path)),
    references: [{ path: "../schemas" }],
  };
  await writeFile(project, JSON.stringify(settings));
  await program(bin("tsc"), "-p", project, "--singleThreaded");
}

const bin = (name: string) => join(root, "node_modules/.bin", name);

it("a domain is added by following the guide, with at most five changed files", async () => {
  expect(changed.size).toBeLessThanOrEqual(5);
  await program(bin("tsc"), "-b", "schemas", "--singleThreaded");
  await checkTypes("services", "tsconfig.json");
  await checkTypes("web", "tsconfig.app.json");
  await program(bin("oxfmt"), "--check", ...created, ...changed);
  await program("infra/quality/translations/check-translations.ts");
  const tests = ["services/ledger/domains/survey", "services/ledger/events"];
  const config = ["--config", "infra/quality/vitest.config.ts"];
  await program(bin("vitest"), "run", ...config, "--project", "unit", "--project", "int", ...tests);
}, 600_000);
