import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

/** `TEST_ROOT` lets the canaries run these very projects on a planted tree. */
const root = process.env["TEST_ROOT"] ?? fileURLToPath(new URL("../..", import.meta.url));
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const ignored = ["**/node_modules/**", "**/dist/**", "**/.types/**", "**/.data*/**"];

/** What every project shares: noise fails, nothing is retried, a lone test cannot hide the others. */
const shared = {
  allowOnly: false,
  passWithNoTests: false,
  retry: 0,
  restoreMocks: true,
  unstubEnvs: true,
  setupFiles: [here("testing/noise-fails.setup.ts")],
};

/**
 * The suffix of a test file routes it: `*.test.ts` pure, `*.int.test.ts` real engines, `*.spec.ts`
 * journeys through the whole stack with a browser. Groups run one after the other, so that engines,
 * browser and pure tests never compete for the same processors.
 */
export default defineConfig({
  root,
  test: {
    reporters: ["default", here("testing/closing-line.ts")],
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          root,
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: [...ignored, "**/*.int.test.ts", "**/*.browser.test.tsx"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: "int",
          root,
          include: ["**/*.int.test.ts"],
          exclude: ignored,
          globalSetup: [here("testing/engines.global-setup.ts")],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: Math.min(4, availableParallelism()),
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: "journeys",
          root,
          include: ["**/*.spec.ts"],
          exclude: ignored,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Each file has its own browser and its own platform or site; two keep two processors busy.
          maxWorkers: Math.min(2, availableParallelism()),
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
