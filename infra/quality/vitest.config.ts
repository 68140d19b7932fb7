import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

import { compileCache } from "../embedded/process/compile-cache.ts";

/** `TEST_ROOT` lets the canaries run these very projects on a planted tree. */
export const root = process.env["TEST_ROOT"] ?? fileURLToPath(new URL("../..", import.meta.url));
const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const ignored = ["**/node_modules/**", "**/dist/**", "**/.types/**", "**/.data*/**"];

/** Few lines that run for long: begun last, they would keep one processor waiting at the end. */
const long =
  /-drill\.|add-a-domain|starts?-|prepare|demo-world|cli\.int|-whole|processes|link-pages|portfolio-(?:hostile|to-offer)|analyst-work|gallery\.spec|mailed|-paths/u;

/** As a run without a record of durations orders files, the largest first, but these before all others. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's method, which returns a new list
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * What every project shares: noise fails, nothing is retried, a lone test cannot hide the others.
 * Files of one worker share their modules: loading them anew for each file was a sixth of all
 * processor time.
 */
const shared = {
  root,
  exclude: ignored,
  allowOnly: false,
  passWithNoTests: false,
  retry: 0,
  isolate: false,
  restoreMocks: true,
  unstubEnvs: true,
  // For the programs that tests start.
  env: { NODE_COMPILE_CACHE: compileCache },
  setupFiles: [at("testing/noise-fails.setup.ts")],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

/**
 * The suffix of a test file routes it: `*.test.ts` pure, `*.int.test.ts` real engines, `*.spec.ts`
 * journeys through the whole stack with a browser. Groups run one after the other, so that engines,
 * browser and pure tests never compete for the same processors.
 */
const unit = {
  ...shared,
  name: "unit",
  include: ["**/*.test.{ts,tsx}"],
  exclude: [...ignored, "**/*.int.test.ts"],
  sequence: { groupOrder: 1 },
};
const int = {
  ...shared,
  name: "int",
  include: ["**/*.int.test.ts"],
  globalSetup: [at("testing/engines.global-setup.ts")],
  // Half of their time is spent waiting for processes and engines.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  sequence: { groupOrder: 2 },
};
export const journeys = {
  ...shared,
  name: "journeys",
  include: ["**/*.spec.ts"],
  // They run in other browsers, where these are installed: `npm run test:browsers`.
  exclude: [...ignored, "web/e2e/browsers/**"],
  globalSetup: [at("../../web/e2e/product.global-setup.ts")],
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // As long as the browser waits for an element.
  expect: { poll: { timeout: 10_000 } },
  // Each worker has its own browser; two keep two processors busy.
  maxWorkers: Math.min(2, availableParallelism()),
  sequence: { groupOrder: 3 },
};

export default defineConfig({
  root,
  test: {
    reporters: ["default", at("closing-line.ts")],
    sequence: { sequencer: LongFilesFirst },
    projects: [unit, int, journeys].map((test) => ({ test })),
  },
});
