import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { pathProblems, strayDeclarations, textProblems } from "./text-rules.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** The rules themselves and what is planted to try them have to spell out what they refuse. */
const EXEMPT = /^infra\/quality\/(text\/text-rules|canaries\/)/u;
const BINARY = /\.(woff2?|png|jpe?g|gif|ico|webp|avif|mmdb|pdf)$/u;

const listing = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
  {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  },
);
const files = listing.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
const problems = files.flatMap((path) => {
  if (BINARY.test(path) || EXEMPT.test(path)) return pathProblems(path);
  return [...pathProblems(path), ...textProblems(path, readFileSync(join(root, path), "utf8"))];
});
problems.push(...strayDeclarations(files));
for (const problem of problems) console.log(problem);
console.log(`${files.length} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 && files.length > 0 ? 0 : 1;
