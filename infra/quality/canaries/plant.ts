import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository whose configuration the canaries are tried on. */
export const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** Every tsconfig of the repository. */
export const compilerConfiguration: readonly string[] = globSync(
  ["tsconfig.json", "{schemas,services,web,infra}/**/tsconfig*.json"],
  { cwd: repository, exclude: ["**/node_modules/**"] },
);

export type Files = Record<string, string>;
export type Plot = { directory: string; remove: () => void };

/** The workspaces of the toy tree; each is linked under its package name, as npm would. */
const WORKSPACES: Record<string, string> = {
  schemas: "schemas",
  web: "web",
  infra: "infra",
  "services/platform": "platform",
  "services/ledger": "ledger",
  "services/collector": "collector",
  "services/jobs": "jobs",
};

/** Packages of the repository that the planted files may import. */
const PACKAGES = [
  "@types",
  "@typescript",
  "fast-check",
  "fastify",
  "oxlint",
  "react",
  "react-dom",
  "typescript",
  "vite",
  "vitest",
  "zod",
];

function link(directory: string): void {
  mkdirSync(join(directory, "node_modules/@pro-talent"), { recursive: true });
  for (const name of PACKAGES) {
    symlinkSync(join(repository, "node_modules", name), join(directory, "node_modules", name));
  }
  for (const [folder, name] of Object.entries(WORKSPACES)) {
    mkdirSync(join(directory, folder), { recursive: true });
    const exported = { "./*": "./*.ts" };
    const manifest = { name: `@pro-talent/${name}`, type: "module", exports: exported };
    writeFileSync(join(directory, folder, "package.json"), JSON.stringify(manifest));
    symlinkSync(join(directory, folder), join(directory, "node_modules/@pro-talent", name));
  }
}

/**
 * A small tree outside the repository with the planted files, linked packages and copies of the
 * named configuration files, so that a tool judges it by exactly the rules that it judges us by.
 */
export function plant(files: Files, configuration: readonly string[] = []): Plot {
  const directory = mkdtempSync(join(tmpdir(), "canary-"));
  link(directory);
  for (const path of configuration) {
    cpSync(join(repository, path), join(directory, path), { recursive: true });
  }
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), source);
  }
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
