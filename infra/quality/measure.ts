import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseArgs } from "node:util";

import ts from "typescript";

/**
 * Prints the size of the code: `npm run measure -- [feature word ...] [--at <git ref>]`. Production
 * is every .ts, .tsx, .mjs and .js file that is not a test; a function is one with a block body.
 */
type Source = ReturnType<typeof readSource>;

const CODE = /\.(?:tsx?|mjs|js)$/u;
const TEST = /\.(?:test|spec)\.tsx?$|(?:^|\/)(?:testing|canaries|e2e)\//u;
const SERVER = /^(?:services|schemas|infra)\//u;
const CRUMB_LINES = 35;

function git(args: readonly string[], input = ""): Buffer {
  return execFileSync("git", args, { input, maxBuffer: 512 * 1024 * 1024 });
}

/** The code and SQL files of a commit, or of the working tree. */
function readFiles(ref: string | undefined): Map<string, string> {
  const here = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listing = ref === undefined ? here : ["ls-tree", "-rz", "--name-only", ref];
  const paths = git(listing).toString().split("\0");
  const wanted = paths.filter((path) => CODE.test(path) || path.endsWith(".sql"));
  if (ref === undefined) {
    const present = wanted.filter(existsSync);
    return new Map(present.map((path) => [path, readFileSync(path, "utf8")]));
  }
  const objects = wanted.map((path) => `${ref}:${path}\n`).join("");
  const batch = git(["cat-file", "--batch"], objects);
  let at = 0;
  const entries = wanted.map((path): [string, string] => {
    const start = batch.indexOf("\n", at) + 1;
    const size = Number(batch.toString("utf8", at, start - 1).split(" ")[2]);
    at = start + size + 1;
    return [path, batch.toString("utf8", start, start + size)];
  });
  return new Map(entries);
}

const countLines = (text: string): number => text.replace(/\n$/u, "").split("\n").length;

/** The repository's file that a specifier names, if it names one. */
function resolve(from: string, specifier: string, files: Map<string, string>): string | undefined {
  const [, name, rest] = /^@pro-talent\/([^/]+)\/(.+)$/u.exec(specifier) ?? [];
  const places = [
    posix.join(posix.dirname(from), specifier),
    `${name}/${rest}.ts`,
    `services/${name}/${rest}.ts`,
  ];
  return places.find((path) => files.has(path));
}

function readSource(path: string, text: string, files: Map<string, string>) {
  const disables = text.match(/(?:\/\/|\/\*)\s*(?:oxlint|eslint)-disable/gu)?.length ?? 0;
  const imported = ts.preProcessFile(text, true, true).importedFiles;
  const imports = imported.flatMap(({ fileName }) => resolve(path, fileName, files) ?? []);
  const counts = { any: 0, casts: 0, disables };
  const functions: number[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) counts.any += 1;
    if (ts.isAssertionExpression(node) && node.type.getText(source) !== "const") counts.casts += 1;
    if (ts.isFunctionLike(node) && "body" in node && node.body && ts.isBlock(node.body))
      functions.push(lineOf(node.end) - lineOf(node.getStart(source)) + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { path, lines: countLines(text), test: TEST.test(path), functions, imports, ...counts };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const linesOf = (own: readonly Source[]): number => sum(own.map(({ lines }) => lines));

function spread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return `p50 ${at(0.5)}, p90 ${at(0.9)}, max ${at(1)} (${sorted.length})`;
}

/** Production files under 35 lines whose only importer is a production file of the same folder. */
function crumbs(sources: readonly Source[]): Source[] {
  const production = sources.filter(({ test }) => !test);
  return production.filter(({ path, lines }) => {
    const importers = production.filter(({ imports }) => imports.includes(path));
    const [only, ...others] = importers.map((importer) => posix.dirname(importer.path));
    return lines < CRUMB_LINES && others.length === 0 && only === posix.dirname(path);
  });
}

function printFolders(files: Map<string, string>, sources: readonly Source[]): void {
  const folderOf = (path: string): string =>
    /^(?:(?:services|infra|web)\/[^/]+(?=\/)|\w+)/u.exec(path)?.[0] ?? "";
  console.log(`${"folder".padEnd(22)} production     tests       sql`);
  const row = (name: string, within: (path: string) => boolean): void => {
    const own = sources.filter(({ path }) => within(path));
    const tests = linesOf(own.filter(({ test }) => test));
    const sql = [...files].filter(([path]) => path.endsWith(".sql") && within(path));
    const cells = [linesOf(own) - tests, tests, sum(sql.map(([, text]) => countLines(text)))];
    console.log(name.padEnd(22) + cells.map((cell) => String(cell).padStart(10)).join(""));
  };
  for (const folder of [...new Set([...files.keys()].map(folderOf))].toSorted())
    row(folder, (path) => folderOf(path) === folder);
  row("services+schemas+infra", (path) => SERVER.test(path));
  row("all", () => true);
}

function printShape(name: string, sources: readonly Source[]): void {
  for (const test of [false, true]) {
    const own = sources.filter((source) => source.test === test);
    const total = (key: "any" | "casts" | "disables"): number =>
      sum(own.map((source) => source[key]));
    console.log(`\n${name}, ${test ? "tests" : "production"}`);
    console.log(`  file lines: ${spread(own.map(({ lines }) => lines))}`);
    console.log(`  over 300: ${own.filter(({ lines }) => lines > 300).length}`);
    console.log(`  function lines: ${spread(own.flatMap(({ functions }) => functions))}`);
    console.log(`  any ${total("any")}, casts ${total("casts")}, disables ${total("disables")}`);
  }
  const small = crumbs(sources);
  console.log(`${name}, crumbs: ${small.length} files, ${linesOf(small)} lines`);
}

function printFeature(word: string, sources: readonly Source[]): void {
  const own = sources.filter(({ path }) => path.split(/[/.-]/u).includes(word));
  const production = own.filter(({ test }) => !test);
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const closure = new Set(production);
  // A set may grow while it is read: each addition is visited too.
  for (const { imports } of closure)
    for (const source of imports.flatMap((path) => byPath.get(path) ?? [])) closure.add(source);
  const tests = own.length - production.length;
  console.log(`\n${word}: ${production.length} production files, ${tests} test files`);
  console.log(`  import closure: ${closure.size} files, ${linesOf([...closure])} lines`);
}

const options = { at: { type: "string" } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const files = readFiles(values.at);
const code = [...files].filter(([path]) => CODE.test(path));
const sources = code.map(([path, text]) => readSource(path, text, files));
printFolders(files, sources);
const server = sources.filter(({ path }) => SERVER.test(path));
printShape("services+schemas+infra", server);
printShape("all", sources);
for (const word of positionals) printFeature(word, sources);
