import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { pagePath } from "@pro-talent/collector/ingest/page-path";
import { eventDataText, storedText } from "@pro-talent/collector/ingest/stored-text";

import { changedTexts, keptTokens, missedValues, redactedPaths, type Share } from "./measured.ts";

/**
 * Prints how much personal data is found in generated texts, how many plain texts are changed, how
 * many ids stay in paths, and what it costs:
 *
 *     npm run measure:scrub
 *     npm run measure:scrub -- --seed 7 --size 1000 --examples
 *     npm run measure:scrub -- --log access.log     paths of a log in common format as well
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    size: { type: "string", default: "2000" },
    log: { type: "string" },
    examples: { type: "boolean", default: false },
  },
});
const [seed, size] = [Number(values.seed), Number(values.size)];

function print(title: string, shares: readonly Share[], verb: string): void {
  console.log(`\n${title}`);
  const total: Share = { name: "all", of: 0, failed: 0, examples: [] };
  for (const share of shares) {
    total.of += share.of;
    total.failed += share.failed;
  }
  for (const { name, of, failed, examples } of [...shares, total]) {
    const percent = ((100 * failed) / of).toFixed(2).padStart(7);
    console.log(
      `  ${name.padEnd(36)}${String(of).padStart(8)} ${verb} ${String(failed).padStart(6)}${percent} %`,
    );
    if (values.examples) for (const example of examples) console.log(`      ${example}`);
  }
}

function timed(name: string, run: () => unknown): void {
  for (let n = 0; n < 20_000; n += 1) run();
  const from = performance.now();
  for (let n = 0; n < 100_000; n += 1) run();
  console.log(
    `  ${name.padEnd(60)}${((performance.now() - from) / 100).toFixed(2).padStart(8)} µs`,
  );
}

print("Generated values", missedValues(seed, size), "missed");
print("Plain texts", changedTexts(seed, size), "changed");
print("Ids in paths", keptTokens(seed, size), "kept");

if (values.log !== undefined) {
  const views = new Map<string, number>();
  for (const [, path = ""] of readFileSync(values.log, "utf8").matchAll(
    /"(?:GET|HEAD|POST) ([^\s?#"]+)/g,
  ))
    views.set(path, (views.get(path) ?? 0) + 1);
  const { of, failed, views: all, failedViews, examples } = redactedPaths(views);
  console.log(`\nPaths of the log: ${failed} of ${of} redacted, ${failedViews} of ${all} views`);
  if (values.examples) console.log(examples.map((path) => `  ${path}`).join("\n"));
}

console.log("\nTime");
let made = 0;
/** Another text each time: texts that repeat are remembered. */
const unseen = (text: string): string => `${text} ${wordOf(made++)}`;
const wordOf = (n: number): string =>
  Array.from(String(n), (digit) => "abcdefghij".charAt(Number(digit))).join("");

const title = "What is an applicant tracking system?";
timed("page view, path and title seen before", () => [
  pagePath("/ats/what-is-ats"),
  storedText(title),
]);
timed("click: four labels seen before", () =>
  ["button", "navigation", "cta-signup", "btn btn-primary btn-lg"].map((label) =>
    storedText(label),
  ),
);
timed("event data of four fields", () =>
  eventDataText({ plan: "premium", cycle: "annual", price: 15, page: "/pricing" }),
);
timed("another title in words", () => storedText(unseen(title)));
timed("another title with a number", () => storedText(unseen("Top 10 resume tips for 2026")));
timed("another Hebrew title", () => storedText(unseen("10 טיפים לקורות חיים ב-2026")));
timed("another path", () => pagePath(unseen("/blog/2024-05-12-my-post")));
timed("another title with an address and a telephone number", () =>
  storedText(unseen("Mail jane.doe@example.org or call 050-123-4567")),
);
