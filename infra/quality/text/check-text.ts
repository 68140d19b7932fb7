import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { pathProblems, strayDeclarations, textProblems } from "./text-rules.ts";
import { readVocabulary, vocabularyProblems } from "./vocabulary.ts";

/**
 * Checks every tracked file. The vocabulary is checked in the files whose path begins with one of
 * the arguments; without an argument, in all.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const BINARY = /\.(?:woff2?|png|jpe?g|gif|ico|webp|avif|mmdb|pdf)$/u;
/** The rules themselves and their tests have to spell out what they refuse. */
const OWN_DATA = /^infra\/quality\/text\//u;
/**
 * Texts of others, migrations that databases have applied (their hash is checked), and the test that
 * writes as an earlier version did.
 */
const FIXED =
  /^package-lock\.json$|^infra\/docs\/glossary\.md$|^infra\/docker\/compose-spec\.json$|^services\/ledger\/migrate\.int\.test\.ts$|^services\/ledger\/migrations\/00(?:0\d|1[0-2])_|^services\/collector\/migrations\/(?:clickhouse\/000[1-6]|postgres\/000[1-3])_/u;

const listing = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
  { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
);
const files = listing.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
const vocabulary = readVocabulary(read("infra/docs/glossary.md"));
const places = process.argv.length > 2 ? process.argv.slice(2) : [""];

const problems = files.flatMap((path) => {
  if (BINARY.test(path) || OWN_DATA.test(path)) return pathProblems(path);
  const text = read(path);
  const checked = !FIXED.test(path) && places.some((place) => path.startsWith(place));
  return [
    ...pathProblems(path),
    ...textProblems(path, text),
    ...(checked ? vocabularyProblems(vocabulary, path, text) : []),
  ];
});
problems.push(...strayDeclarations(files));
for (const problem of problems) console.log(problem);
console.log(`${files.length} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 && files.length > 0 ? 0 : 1;
