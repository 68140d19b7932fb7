import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

import { journeys, root } from "../../../infra/quality/vitest.config.ts";
import { surveyEngines } from "./installed-browsers.ts";

const { installed, missing } = surveyEngines();
if (installed.length === 0) throw new Error(missing.join("\n"));
const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** `npm run test:browsers`: the journeys of this folder, once in each engine that is installed. */
export default defineConfig({
  root,
  test: {
    reporters: ["default", at("../../../infra/quality/closing-line.ts")],
    globalSetup: [at("browsers.global-setup.ts")],
    projects: installed.map((engine) => ({
      test: {
        ...journeys,
        name: engine,
        include: ["web/e2e/browsers/*.spec.ts"],
        exclude: [],
        globalSetup: [],
        provide: { engine },
      },
    })),
  },
});
