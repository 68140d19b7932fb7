/** Rules for the text and the name of every tracked file. */
export type TextRule = { name: string; applies: RegExp; pattern: RegExp };

const ALL = /./u;
const CODE = /\.(ts|tsx|js|mjs|cjs|css|sql|sh|html|ya?ml)$|Dockerfile$/u;
const TESTS = /\.(test|spec)\.tsx?$/u;

export const textRules: TextRule[] = [
  {
    name: "a path of one machine",
    applies: ALL,
    pattern:
      /(?<![\w.~/-])\/(?:work|root|Users)\/\w|(?<![\w.~/-])\/home\/(?!node\b)\w|(?<![\w.~/-])\/tmp\/\w/u,
  },
  {
    name: "a path that leaves the repository",
    applies: ALL,
    pattern: /\.\.\/shared\/|\bresearch\/\w/u,
  },
  {
    name: "a package registry by its host name",
    applies: ALL,
    pattern: /registry\.[\w-]+\.(?:org|com|dev)|\bnpm\.pkg\.|"resolved": "(?:https?|git)/u,
  },
  { name: "a note to oneself", applies: ALL, pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/u },
  { name: "a conflict marker", applies: ALL, pattern: /^(?:<{7}|>{7}) /mu },
  {
    name: "a test that does not run, or not alone",
    applies: TESTS,
    pattern:
      /\b(?:it|test|describe|suite)\b(?:\.\w+)*\.(?:only|skip|todo|fails|skipIf|runIf)\b|\bctx\.skip\(|\bretry:\s*[1-9]/u,
  },
  {
    name: "a character that nobody sees",
    applies: CODE,
    pattern: /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/u,
  },
  { name: "a carriage return", applies: ALL, pattern: /\r/u },
];

const SHAPE = /^\.?[a-z0-9]+(?:[-_.][a-z0-9]+)*$/u;
const PROPER = new Set(["README.md", "LICENSE", "NOTICE", "Dockerfile", "Caddyfile"]);
/** Names that say nothing: a drawer, not a thing. */
const DRAWERS = new Set([
  "util",
  "utils",
  "helper",
  "helpers",
  "common",
  "misc",
  "manager",
  "stuff",
  "lib",
  "shared",
]);
const BYTES_MAX = 1_000_000;
const LINES_MAX = 300;
/** Written by tools, or published by others: their length is not ours. */
const LONG_BY_NATURE = /^(package-lock\.json|infra\/docker\/compose-spec\.json|infra\/docs\/)/u;

/** What is wrong with a path, by its words alone. */
export function pathProblems(path: string): string[] {
  const problems: string[] = [];
  const segments = path.split("/");
  const file = segments.at(-1) ?? "";
  for (const segment of segments) {
    if (!SHAPE.test(segment) && !PROPER.has(segment)) problems.push(`${path}: not kebab-case`);
    const words = segment.replace(/\.\w+$/u, "").split(/[-.]/u);
    const drawer = words.find((word) => DRAWERS.has(word));
    if (drawer !== undefined) problems.push(`${path}: "${drawer}" names a drawer, not a thing`);
  }
  if (/^index\.(?:ts|tsx|js|mjs)$/u.test(file))
    problems.push(`${path}: a file is named after its concept`);
  if (/_/u.test(file) && !file.endsWith(".sql")) problems.push(`${path}: not kebab-case`);
  return problems;
}

/** Declarations that the compiler wrote beside their sources, which then stand in their place. */
export function strayDeclarations(paths: readonly string[]): string[] {
  const all = new Set(paths);
  const source = (path: string): string => path.replace(/\.d\.ts$/u, ".ts");
  return paths
    .filter(
      (path) => path.endsWith(".d.ts") && (all.has(source(path)) || all.has(`${source(path)}x`)),
    )
    .map((path) => `${path}: written by the compiler beside its source`);
}

/** What is wrong with a text, with the line where it stands. */
export function textProblems(path: string, text: string): string[] {
  const problems: string[] = [];
  for (const { name, applies, pattern } of textRules) {
    const found = applies.test(path) ? pattern.exec(text) : null;
    if (found === null) continue;
    const line = text.slice(0, found.index).split("\n").length;
    problems.push(`${path}:${line}: ${name} (${found[0].trim()})`);
  }
  if (text.length > BYTES_MAX) problems.push(`${path}: larger than ${BYTES_MAX} characters`);
  const lines = text.split("\n").length;
  if (
    CODE.test(path) &&
    !/\.tsx?$/u.test(path) &&
    !LONG_BY_NATURE.test(path) &&
    lines > LINES_MAX
  ) {
    problems.push(`${path}: ${lines} lines, more than ${LINES_MAX}`);
  }
  return problems;
}
