import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { z } from "zod";

/**
 * A lockfile made on one machine can lack the packages of other machines: npm leaves an optional
 * package out when the registry that it asked did not have it, and `npm ci` then refuses the lockfile
 * ("Missing: … from lock file"). `npm run lockfile`, after `npm install`, adds such entries.
 */
const Names = z.union([z.string(), z.array(z.string())]).optional();
const Raw = z.record(z.string(), z.unknown());
const LockedPackage = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  os: Names,
  cpu: Names,
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
type LockedPackage = z.infer<typeof LockedPackage>;
export const Lockfile = z.looseObject({ packages: z.record(z.string(), LockedPackage) });
export type Lockfile = z.infer<typeof Lockfile>;

const SYSTEM =
  /(?:^|[/-])(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)(?=-|$)/u;
const PROCESSOR = /-(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64)(?=-|$)/u;

/** Where npm would look for `name` as a dependency of the package at `parent`, nearest first. */
function places(parent: string, name: string): string[] {
  if (parent === "") return [`node_modules/${name}`];
  const above = parent.slice(0, Math.max(0, parent.lastIndexOf("/node_modules/")));
  return [`${parent}/node_modules/${name}`, ...places(above, name)];
}

/** Optional dependencies that the lockfile names and does not lock. */
export function missingOptional(
  lock: Lockfile,
): { parent: LockedPackage; name: string; version: string }[] {
  return Object.entries(lock.packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(([name]) => !places(path, name).some((place) => place in lock.packages))
      .map(([name, version]) => ({ parent, name, version })),
  );
}

/** The entry of a platform package, read from its name (`@oxfmt/binding-linux-x64-musl`). */
function platformEntry(name: string, version: string, parent: LockedPackage): LockedPackage {
  const [system, processor] = [SYSTEM.exec(name)?.[1], PROCESSOR.exec(name)?.[1]];
  if (system === undefined || processor === undefined || !/^\d+\.\d+\.\d+/u.test(version))
    throw new Error(`The name ${name}@${version} states no platform.`);
  const [, library] = /-(musl|gnu)/u.exec(name) ?? [];
  return {
    version,
    cpu: [processor],
    ...(parent.dev === true ? { dev: true } : {}),
    ...(library === undefined ? {} : { libc: [library === "gnu" ? "glibc" : "musl"] }),
    optional: true,
    os: [system],
  };
}

/**
 * The text of a lockfile with every missing platform package added; other entries are unchanged.
 * @throws when the name of a package states no system or no processor, or its version is a range
 */
export function completeLockfile(text: string): string {
  const whole = Raw.parse(JSON.parse(text));
  const packages = Raw.parse(whole["packages"]);
  for (const { parent, name, version } of missingOptional(Lockfile.parse(whole)))
    packages[`node_modules/${name}`] = platformEntry(name, version, parent);
  const sorted = Object.entries(packages).toSorted(([left], [right]) =>
    left.localeCompare(right, "en"),
  );
  return `${JSON.stringify({ ...whole, packages: Object.fromEntries(sorted) }, null, 2)}\n`;
}

if (import.meta.main) {
  const path = fileURLToPath(new URL("../../../package-lock.json", import.meta.url));
  const text = readFileSync(path, "utf8");
  const missing = missingOptional(Lockfile.parse(JSON.parse(text)));
  if (missing.length > 0) writeFileSync(path, completeLockfile(text));
  console.log(`${missing.length} platform packages added`);
}
