import { execFile } from "node:child_process";
import { access, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { temporaryDirectory } from "./testing/temporary-directory.ts";

const script = fileURLToPath(new URL("prepare.mjs", import.meta.url));

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;
/** Hold a clone as git leaves it, and one whose packages are installed. */
let templates: Record<"fresh" | "installed", Directory>;
let directory: Directory;
let root: string;

/** A small repository of the same form, whose only package lies beside it: nothing is downloaded. */
beforeAll(async () => {
  templates = { fresh: await temporaryDirectory(), installed: await temporaryDirectory() };
  root = join(templates.installed.path, "clone");
  await mkdir(join(root, "web/pages"), { recursive: true });
  await mkdir(join(root, "schemas"), { recursive: true });
  await mkdir(join(root, "greeting"));
  await put("greeting/package.json", { name: "greeting", version: "1.0.0" });
  await put("package.json", {
    name: "clone",
    version: "1.0.0",
    workspaces: ["web"],
    dependencies: { greeting: "file:./greeting" },
  });
  await put("web/package.json", { name: "web", version: "1.0.0" });
  await writeFile(join(root, "web/pages/home.txt"), "one");
  await npm("install", "--package-lock-only");
  await cp(root, join(templates.fresh.path, "clone"), { recursive: true });
  await prepare();
});
afterAll(() => Promise.all(Object.values(templates).map((template) => template.remove())));

async function clone(template: keyof typeof templates): Promise<void> {
  directory = await temporaryDirectory();
  root = join(directory.path, "clone");
  const from = join(templates[template].path, "clone");
  await cp(from, root, { recursive: true, verbatimSymlinks: true });
}
afterEach(() => directory.remove());

const put = (file: string, content: object) =>
  writeFile(join(root, file), JSON.stringify(content, null, 2));
const exists = (file: string) =>
  access(join(root, file)).then(
    () => true,
    () => false,
  );

function run(command: string, args: string[]): Promise<{ code: number; output: string }> {
  // The variables that npm sets for scripts are about this repository, not about the small one.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith("npm_")),
  );
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { cwd: root, env: { ...env, PREPARE_ROOT: root } },
      (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

async function npm(...args: string[]): Promise<void> {
  const { code, output } = await run("npm", [...args, "--no-audit", "--no-fund", "--offline"]);
  if (code !== 0) throw new Error(output);
}

const prepare = () => run(process.execPath, [script]);

/** Appends a line per build, so that builds can be counted, and copies a page. */
async function givePageBuild(): Promise<void> {
  await writeFile(
    join(root, "web/build.mjs"),
    `import { appendFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
     rmSync("dist", { recursive: true, force: true });
     mkdirSync("dist");
     cpSync("pages/home.txt", "dist/home.txt");
     appendFileSync("../builds.log", "built\\n");`,
  );
  await put("web/package.json", {
    name: "web",
    version: "1.0.0",
    scripts: { build: "node build.mjs" },
  });
}

const builds = async (): Promise<number> =>
  (await readFile(join(root, "builds.log"), "utf8")).split("\n").length - 1;

describe("packages that were installed", () => {
  beforeEach(() => clone("installed"));

  test("are installed again when the lockfile names others", async () => {
    await mkdir(join(root, "farewell"));
    await put("farewell/package.json", { name: "farewell", version: "1.0.0" });
    await put("package.json", {
      name: "clone",
      version: "1.0.0",
      workspaces: ["web"],
      dependencies: { greeting: "file:./greeting", farewell: "file:./farewell" },
    });
    await npm("install", "--package-lock-only");
    expect((await prepare()).output).toContain("Installing packages");
    expect(await exists("node_modules/farewell/package.json")).toBe(true);
  });

  test("are installed again when they were deleted", async () => {
    await rm(join(root, "node_modules"), { recursive: true });
    await prepare();
    expect(await exists("node_modules/greeting/package.json")).toBe(true);
  });
});

describe("packages", () => {
  beforeEach(() => clone("fresh"));

  test("are installed on a fresh clone, and left alone the next time", async () => {
    const first = await prepare();
    expect(first).toMatchObject({ code: 0 });
    expect(first.output).toContain("Installing packages");
    expect(await exists("node_modules/greeting/package.json")).toBe(true);
    expect(await prepare()).toEqual({ code: 0, output: "" });
  });

  test("that cannot be installed are a failure with advice, not a half-prepared clone", async () => {
    await writeFile(join(root, "package-lock.json"), "{}");
    const failed = await prepare();
    expect(failed.code).toBe(1);
    expect(failed.output).toContain("npm ci failed");
    expect(await exists("node_modules/.prepared")).toBe(false);
  });

  test("are installed once when several commands prepare at the same time", async () => {
    const all = await Promise.all([prepare(), prepare(), prepare()]);
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(all.filter(({ output }) => output.includes("Installing"))).toHaveLength(1);
  });
});

describe("the web application", () => {
  beforeEach(() => clone("installed"));

  test("is built once, and again only when a source changes", async () => {
    await givePageBuild();
    expect((await prepare()).output).toContain("Building the web application");
    await prepare();
    expect(await builds()).toBe(1);
    await writeFile(join(root, "web/pages/home.txt"), "two");
    await prepare();
    expect(await builds()).toBe(2);
    expect(await readFile(join(root, "web/dist/home.txt"), "utf8")).toBe("two");
  });

  test("is built again when a contract changes, or when it was deleted", async () => {
    await givePageBuild();
    await prepare();
    await writeFile(join(root, "schemas/wire.ts"), "export {};");
    await prepare();
    expect(await builds()).toBe(2);
    await rm(join(root, "web/dist"), { recursive: true });
    await prepare();
    expect(await builds()).toBe(3);
  });

  test("is not built again for a test, or for what the build itself wrote", async () => {
    await givePageBuild();
    await prepare();
    await writeFile(join(root, "web/pages/home.test.ts"), "export {};");
    await writeFile(join(root, "web/dist/more.txt"), "more");
    await prepare();
    expect(await builds()).toBe(1);
  });

  test("that cannot be built is a failure, and is tried again the next time", async () => {
    await givePageBuild();
    await rm(join(root, "web/pages/home.txt"));
    const failed = await prepare();
    expect(failed.code).toBe(1);
    expect(failed.output).toContain("could not be built");
    await writeFile(join(root, "web/pages/home.txt"), "back");
    expect((await prepare()).code).toBe(0);
    expect(await builds()).toBe(1);
  });
});
