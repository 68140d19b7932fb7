import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Services with migrations. */
const migrated = ["accounts", "collector", "ledger", "studio"];

/** Puts the tree of a release into `directory`, with the packages of this one where they are the same. */
export async function checkOut(from: {
  root: string;
  release: string;
  directory: string;
}): Promise<void> {
  const { root, release, directory } = from;
  const archive = join(directory, "release.tar");
  await run("git", ["archive", "--output", archive, release], { cwd: root });
  await run("tar", ["-xf", archive, "-C", directory]);
  rmSync(archive);
  const lockfile = (tree: string): string => readFileSync(join(tree, "package-lock.json"), "utf8");
  if (lockfile(root) !== lockfile(directory)) {
    await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: directory });
    return;
  }
  const packages = join(directory, "node_modules");
  await mkdir(packages);
  for (const name of readdirSync(join(root, "node_modules"))) {
    const source = join(root, "node_modules", name);
    // Links to the services of a tree lead to those of its own.
    if (name === "@pro-talent")
      cpSync(source, join(packages, name), { recursive: true, verbatimSymlinks: true });
    else if (name !== ".vite") symlinkSync(source, join(packages, name));
  }
  for (const service of readdirSync(join(root, "services"))) {
    const own = join(root, "services", service, "node_modules");
    if (existsSync(own)) symlinkSync(own, join(directory, "services", service, "node_modules"));
  }
}

/** Has every suite of a checked-out release migrate its databases with the code of this tree. */
export function migrateByThisTree(root: string, directory: string): void {
  for (const service of migrated) {
    const path = `services/${service}/migrate.ts`;
    const ours = JSON.stringify(join(root, path));
    writeFileSync(
      join(directory, path),
      `import { spawnSync } from "node:child_process";
export * from ${ours};
if (import.meta.main) {
  process.exitCode = spawnSync(process.execPath, [${ours}], { stdio: "inherit" }).status ?? 1;
}
`,
    );
  }
}
