import { z } from "zod";

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      license: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

/** Licences under which a package may be a part of the product. */
const allowed: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/** Allowed by name, each for its reason. */
const exceptions: readonly (readonly [pattern: RegExp, licence: string])[] = [
  // A shared library beside the program, unchanged and replaceable, as its licence asks.
  [/^@img\/sharp-/, "LGPL-3.0-or-later"],
  // CC BY 4.0; the privacy policy names the source.
  [/^@ip-location-db\/dbip-city-mmdb$/, "SEE LICENSE IN DBIP-LICENSE"],
  // The two-clause text, under a name that is not in the list of SPDX.
  [/^duck$/, "BSD"],
];

type Licensed = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
};

/** Every package that the product ships, by the lockfile; not what only builds or tests it. */
export function licensedPackages(lockfile: unknown): Licensed[] {
  const { packages } = Lock.parse(lockfile);
  // What another platform installs is locked by name alone; its licence is that of the package which names it.
  const licenceOfParent = (name: string): string | undefined =>
    Object.entries(packages).find(
      ([place, { optionalDependencies = {} }]) => place !== "" && name in optionalDependencies,
    )?.[1].license;
  const found = Object.entries(packages).flatMap(([place, { version, license, link, dev }]) => {
    const name = place.split("node_modules/").at(-1) ?? "";
    const isOurs = !place.includes("node_modules/") || link === true;
    if (isOurs || dev === true || version === undefined) return [];
    // The program of Node itself, for a Mac.
    const licence = license ?? (name.startsWith("node-bin-") ? "MIT" : licenceOfParent(name));
    return [{ name, version, licence: licence ?? "unknown" }];
  });
  return found.toSorted((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`));
}

/** An expression of alternatives (`A OR B`) is allowed by one of them, of parts (`A AND B`) by all. */
export function isAllowed({ name, licence }: Pick<Licensed, "name" | "licence">): boolean {
  if (exceptions.some(([pattern, part]) => pattern.test(name) && licence.includes(part)))
    return true;
  const plain = licence.replaceAll(/[()]/g, "");
  return plain.split(" OR ").some((one) => one.split(" AND ").every((part) => allowed.has(part)));
}

/** The list as a document. */
export function licencesDocument(packages: readonly Licensed[]): string {
  const rows = packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
  return `${[...new Set(rows)].join("\n")}\n`;
}
