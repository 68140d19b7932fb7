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

const BINARY = /\.(?:woff2?|png|jpe?g|gif|ico|webp|avif|mmdb|pdf|gz)$/u;
/** The rules themselves and their tests have to spell out what they refuse. */
const OWN_DATA = /^infra\/quality\/text\//u;
type Exception = { paths: RegExp; allowed?: RegExp; reason: string };
/** Where the vocabulary is not checked, or where only the words of `allowed` are not. */
const EXCEPTIONS: readonly Exception[] = [
  { paths: /^package-lock\.json$/u, reason: "names of packages" },
  { paths: /^infra\/docker\/compose-spec\.json$/u, reason: "the schema of the Compose project" },
  { paths: /^infra\/docs\/glossary\.md$/u, reason: "lists the words that are not used" },
  {
    paths:
      /^services\/(?:ledger\/migrations\/00(?:0\d|1[0-2])|collector\/migrations\/(?:clickhouse\/000[1-6]|postgres\/000[1-3]))_/u,
    reason: "databases have applied these migrations, and their hash is checked",
  },
  {
    paths: /^services\/ledger\/(?:testing\/version-0010|upgrade\.int\.test)\.ts$/u,
    reason: "writes as an earlier version did",
  },
  {
    paths: /^services\/ledger\/domains\/newsletter\/issue\/issue\.ts$/u,
    allowed: /\bletters\b/gu,
    reason: "the stored and hashed form of an issue has a field of this name",
  },
  {
    paths:
      /^web\/i18n\/en\/(?:accessibility|consent|cookie-policy|do-not-sell|privacy|terms)\.json$/u,
    allowed: /\b(?:tell|telling|told|nobody)\b/giu,
    reason: "legal texts: another wording is a new version, which people have to be shown",
  },
  {
    paths: /^web\/pages\/legal\/versions\/[a-z]+-[-\d]+\.(?:en|he)\.html$/u,
    reason: "legal texts that were in force, as they were shown",
  },
];

const listing = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
  { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
);
const files = listing.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
const vocabulary = readVocabulary(read("infra/docs/glossary.md"));
const places = process.argv.length > 2 ? process.argv.slice(2) : [""];

function wordProblems(path: string, text: string): string[] {
  const exceptions = EXCEPTIONS.filter(({ paths }) => paths.test(path));
  if (exceptions.some(({ allowed }) => allowed === undefined)) return [];
  const allowed = [...vocabulary.allowed, ...exceptions.flatMap((one) => one.allowed ?? [])];
  return vocabularyProblems({ ...vocabulary, allowed }, path, text);
}

const problems = files.flatMap((path) => {
  if (BINARY.test(path) || OWN_DATA.test(path)) return pathProblems(path);
  const text = read(path);
  return [
    ...pathProblems(path),
    ...textProblems(path, text),
    ...(places.some((place) => path.startsWith(place)) ? wordProblems(path, text) : []),
  ];
});
problems.push(...strayDeclarations(files));
for (const problem of problems) console.log(problem);
console.log(`${files.length} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 && files.length > 0 ? 0 : 1;
