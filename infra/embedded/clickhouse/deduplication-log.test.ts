import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { forgetParts, unfinishedParts } from "./deduplication-log.ts";
import { temporaryDir } from "./testing/engine-under-test.ts";

let dir: string;
beforeEach(() => void (dir = temporaryDir()));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function table(parts: readonly string[], ...logs: readonly string[][]): void {
  mkdirSync(join(dir, "deduplication_logs"));
  for (const part of parts) mkdirSync(join(dir, part));
  for (const [index, lines] of logs.entries()) {
    writeFileSync(
      join(dir, "deduplication_logs", `deduplication_log_${index + 1}.txt`),
      lines.map((line) => `${line}\n`).join(""),
    );
  }
}

describe("unfinished parts", () => {
  it("are those that were recorded and never came", () => {
    table(["202611_1_1_0"], ["1\t202611_1_1_0\ta", "1\t202611_2_2_0\tb"]);
    expect(unfinishedParts(dir)).toEqual(["202611_2_2_0"]);
  });

  it("are none when parts were merged, moved to a higher level or mutated", () => {
    table(
      ["202611_1_3_2_9", "all_4_4_1"],
      ["1\t202611_1_1_0\ta", "1\t202611_3_3_0\tb", "1\tall_4_4_1\tc"],
    );
    expect(unfinishedParts(dir)).toEqual([]);
  });

  it("are not those that were dropped on purpose", () => {
    table([], ["1\t202611_1_1_0\ta", "2\t202611_1_1_0\ta"]);
    expect(unfinishedParts(dir)).toEqual([]);
  });

  it("are not found in another partition or in a temporary part", () => {
    table(
      ["202610_1_5_1", "tmp_insert_202611_2_2_0", "delete_tmp_202611_2_2_0"],
      ["1\t202611_2_2_0\tb"],
    );
    expect(unfinishedParts(dir)).toEqual(["202611_2_2_0"]);
  });

  it("are forgotten in every file, and nothing else is", () => {
    table([], ["1\tall_1_1_0\ta", "1\tall_2_2_0\tb"], ["1\tall_2_2_0\tc", "1\tall_3_3_0\td"]);
    forgetParts(dir, ["all_2_2_0"]);
    const left = [1, 2].map((n) =>
      readFileSync(join(dir, "deduplication_logs", `deduplication_log_${n}.txt`), "utf8"),
    );
    expect(left).toEqual(["1\tall_1_1_0\ta\n", "1\tall_3_3_0\td\n"]);
  });
});
