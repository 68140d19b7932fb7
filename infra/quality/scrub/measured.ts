import { pagePath } from "@pro-talent/collector/ingest/page-path";
import { scrub } from "@pro-talent/collector/ingest/scrub/scrub";

import { alphabets, createChance } from "./chance.ts";
import { negatives, positives, type Positive } from "./generated-texts.ts";

export type Share = { name: string; of: number; failed: number; examples: string[] };

function shares<T>(
  cases: readonly T[],
  nameOf: (one: T) => string,
  failure: (one: T) => string | undefined,
): Share[] {
  const byName = new Map<string, Share>();
  for (const one of cases) {
    const name = nameOf(one);
    const share = byName.get(name) ?? { name, of: 0, failed: 0, examples: [] };
    byName.set(name, share);
    share.of += 1;
    const text = failure(one);
    if (text === undefined) continue;
    share.failed += 1;
    if (share.examples.length < 3) share.examples.push(text);
  }
  return [...byName.values()];
}

/** Whether so much of a value is left that it can be read: eight of its characters in a row, or half. */
function isLeft({ value }: Positive, scrubbed: string): boolean {
  const length = Math.min(8, Math.ceil(value.length / 2));
  const core = value.replace(/^.*?[=:] ?(?!\/\/|:)/, "");
  const pieces = Array.from({ length: Math.max(1, core.length - length + 1) }, (_none, at) =>
    core.slice(at, at + length),
  );
  return pieces.some((piece) => /\d|@|%/.test(piece) && scrubbed.includes(piece));
}

/** Values that were not found, by kind and form. */
export function missedValues(seed: number, perForm: number): Share[] {
  return shares(
    positives(seed, perForm),
    ({ kind, form }) => `${kind}, ${form}`,
    (one) => {
      const scrubbed = scrub(one.text);
      return scrubbed === one.text || isLeft(one, scrubbed)
        ? `${one.text} => ${scrubbed}`
        : undefined;
    },
  );
}

/** Plain texts that were changed, by kind. */
export function changedTexts(seed: number, perKind: number): Share[] {
  return shares(
    negatives(seed, perKind),
    ({ kind }) => kind,
    ({ text }) => {
      const scrubbed = scrub(text);
      return scrubbed === text ? undefined : `${text} => ${scrubbed}`;
    },
  );
}

const tokens: readonly (readonly [string, string, readonly number[]])[] = [
  ["hexadecimal", alphabets.hex, [8, 12, 16, 32, 40, 64]],
  ["base 62", alphabets.base62, [6, 7, 8, 10, 11, 12, 16, 21, 27]],
  ["base 64 for addresses", alphabets.base64url, [10, 12, 16, 21, 32]],
  ["base 36", alphabets.base36, [8, 10, 12, 16, 25]],
  ["base 32 (ULID)", alphabets.crockford, [13, 26]],
];

/** Ids and codes that stayed in a path, by alphabet and length. */
export function keptTokens(seed: number, each: number): Share[] {
  const chance = createChance(seed);
  const cases = tokens.flatMap(([name, alphabet, lengths]) =>
    lengths.flatMap((length) =>
      Array.from({ length: each }, () => ({
        name: `${name}, ${length} characters`,
        token: chance.text(length, alphabet),
      })),
    ),
  );
  return shares(
    cases,
    ({ name }) => name,
    ({ token }) => (pagePath(`/x/${token}`) === "/x/:redacted" ? undefined : token),
  );
}

/** Paths in which a part was redacted: of pages, and of their views. */
export function redactedPaths(
  views: ReadonlyMap<string, number>,
): Share & { views: number; failedViews: number } {
  const result = {
    name: "pages",
    of: 0,
    failed: 0,
    examples: [] as string[],
    views: 0,
    failedViews: 0,
  };
  for (const [path, count] of views) {
    result.of += 1;
    result.views += count;
    if (!pagePath(path).includes(":redacted")) continue;
    result.failed += 1;
    result.failedViews += count;
    result.examples.push(path);
  }
  return result;
}
