import { z } from "zod";

/**
 * A lockfile made on one machine can lack the packages of other machines: npm leaves an optional
 * package out when the registry that it asked did not have it, and `npm ci` then refuses the lockfile
 * ("Missing: … from lock file"). These functions find and add such entries.
 */
const Names = z.union([z.string(), z.array(z.string())]);
export const LockedPackage = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  os: Names.optional(),
  cpu: Names.optional(),
  libc: Names.optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
export const Lockfile = z.looseObject({
  lockfileVersion: z.number(),
  packages: z.record(z.string(), LockedPackage),
});
export type Lockfile = z.infer<typeof Lockfile>;
type LockedPackage = z.infer<typeof LockedPackage>;

export type Missing = { parent: string; name: string; version: string };

const SYSTEMS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const PROCESSORS = [
  "arm64",
  "arm",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "x64",
];

/** Where npm would look for `name` as a dependency of the package at `parent`, nearest first. */
function places(parent: string, name: string): string[] {
  const found: string[] = [];
  for (let base = parent; ;) {
    found.push(base === "" ? `node_modules/${name}` : `${base}/node_modules/${name}`);
    if (base === "") return found;
    const cut = base.lastIndexOf("/node_modules/");
    base = cut === -1 ? "" : base.slice(0, cut);
  }
}

/** Optional dependencies that the lockfile names and does not lock. */
export function missingOptional(lock: Lockfile): Missing[] {
  return Object.entries(lock.packages).flatMap(([parent, locked]) =>
    Object.entries(locked.optionalDependencies ?? {})
      .filter(([name]) => !places(parent, name).some((place) => place in lock.packages))
      .map(([name, version]) => ({ parent, name, version })),
  );
}

/**
 * The entry of a platform package, told from its name (`@oxfmt/binding-linux-x64-musl`).
 * @throws when the name says no system or no processor, or the version is a range
 */
export function platformEntry(missing: Missing, parent: LockedPackage): LockedPackage {
  const words = missing.name.split(/[/-]/u);
  const system = SYSTEMS.find((word) => words.includes(word));
  const processor = PROCESSORS.find((word) => words.includes(word));
  if (system === undefined || processor === undefined || !/^\d+\.\d+\.\d+/u.test(missing.version)) {
    throw new Error(`No platform can be told from ${missing.name}@${missing.version}.`);
  }
  const musl = words.some((word) => word.startsWith("musl"));
  const gnu = words.some((word) => word.startsWith("gnu"));
  return {
    version: missing.version,
    cpu: [processor],
    ...(parent.dev === true ? { dev: true } : {}),
    ...(musl ? { libc: ["musl"] } : gnu ? { libc: ["glibc"] } : {}),
    optional: true,
    os: [system],
  };
}

/**
 * The text of a lockfile with every missing platform package added. Records keep the order of their
 * keys, so that only the added entries differ.
 */
export function completeLockfile(text: string): string {
  const lock = Lockfile.parse(JSON.parse(text));
  const whole = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  const packages = z.record(z.string(), z.unknown()).parse(whole["packages"]);
  for (const missing of missingOptional(lock)) {
    const parent = lock.packages[missing.parent] ?? {};
    packages[`node_modules/${missing.name}`] = platformEntry(missing, parent);
  }
  const sorted = Object.entries(packages).toSorted(([left], [right]) =>
    left.localeCompare(right, "en"),
  );
  return `${JSON.stringify({ ...whole, packages: Object.fromEntries(sorted) }, null, 2)}\n`;
}
