/** Rules for the text and the name of every tracked file. */
export type TextRule = { name: string; applies: RegExp; pattern: RegExp };

const ALL = /./u;
const CODE = /\.(?:tsx?|m?js|cjs|json|css|sql|sh|html|ya?ml)$|Dockerfile$/u;

export const textRules: TextRule[] = [
  {
    name: "a path of one machine",
    applies: ALL,
    pattern:
      /(?<![\w.~/-])\/(?:(?:work|root|Users|tmp)\/\w|home\/(?!node\b)\w)|\.\.\/shared\/|\bresearch\/\w/u,
  },
  {
    name: "a package registry by its host name",
    applies: ALL,
    pattern: /registry\.[\w-]+\.(?:org|com|dev)|\bnpm\.pkg\.|"resolved": "(?:https?|git)/u,
  },
  { name: "a note to oneself", applies: ALL, pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/u },
  { name: "a conflict marker", applies: ALL, pattern: /^(?:<{7}|>{7}) /mu },
  {
    // Skipped and lone tests fail by the lint rules and by the run itself.
    name: "a test that may fail",
    applies: /\.(?:test|spec)\.tsx?$/u,
    pattern: /\b(?:it|test|describe)(?:\.\w+)*\.fails\b|\bretry:\s*[1-9]/u,
  },
  {
    name: "a suppressed rule without its reason",
    applies: /\.(?:tsx?|m?js)$/u,
    pattern: /(?:\/\/|\/\*)\s*(?:ox|es)lint-disable(?!.*\s--(?:\s+[^\s*]\S*){3})/u,
  },
  {
    name: "an invisible character",
    applies: CODE,
    pattern: /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/u,
  },
  { name: "a carriage return", applies: ALL, pattern: /\r/u },
];

const SHAPE = /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$|^\d{4}_[a-z0-9_]+\.sql$/u;
const PROPER = new Set([
  "README.md",
  "SECURITY.md",
  "LICENSE",
  "NOTICE",
  "Dockerfile",
  "Caddyfile",
  "Chart.yaml",
]);
/** Names that say nothing about what is inside. */
const VAGUE =
  /(?:^|[-.])(?:utils?|helpers?|common|misc|manager|stuff|lib|shared)(?:[-.]|$)|^index\.(?:tsx?|m?js)$/u;
/** The lint rules limit TypeScript. The list of all containers is one file: anchors do not cross files. */
const LIMITED =
  /(?<!docker-compose|pro-talent\/values)\.(?:m?js|css|sql|sh|html|ya?ml)$|Dockerfile$/u;
const LINES_MAX = 300;
/** The largest is the description of every HTTP call. */
const CHARACTERS_MAX = 2_000_000;

/** What is wrong with a path, by its words alone. */
export function pathProblems(path: string): string[] {
  return path
    .split("/")
    .flatMap((segment) => [
      ...(SHAPE.test(segment) || PROPER.has(segment) ? [] : [`${path}: not kebab-case`]),
      ...(VAGUE.test(segment) ? [`${path}: "${segment}" does not say what is inside`] : []),
    ]);
}

/** Declarations that the compiler wrote beside their sources, and which then replace them. */
export function strayDeclarations(paths: readonly string[]): string[] {
  const sources = paths.filter((path) => /(?<!\.d)\.tsx?$/u.test(path));
  const written = new Set(sources.map((path) => path.replace(/\.tsx?$/u, ".d.ts")));
  return paths
    .filter((path) => written.has(path))
    .map((path) => `${path}: written by the compiler beside its source`);
}

/** What is wrong with a text, with the line. */
export function textProblems(path: string, text: string): string[] {
  const problems = textRules.flatMap(({ name, applies, pattern }) => {
    const found = applies.test(path) ? pattern.exec(text) : null;
    if (found === null) return [];
    const line = text.slice(0, found.index).split("\n").length;
    return [`${path}:${line}: ${name} (${found[0].trim()})`];
  });
  const lines = text.split("\n").length;
  if (text.length > CHARACTERS_MAX)
    problems.push(`${path}: larger than ${CHARACTERS_MAX} characters`);
  if (LIMITED.test(path) && lines > LINES_MAX)
    problems.push(`${path}: ${lines} lines, more than ${LINES_MAX}`);
  return problems;
}
