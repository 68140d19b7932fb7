import type { TestProject } from "vitest/node";

import { provideProduct } from "../product.global-setup.ts";
import { surveyEngines } from "./installed-browsers.ts";

/**
 * Starts the whole product, with registration and plans open to all, and says before and after all tests
 * which engines were not tested.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (): void => {
    for (const sentence of surveyEngines().missing) process.stderr.write(`\n${sentence}\n`);
  };
  say();
  const stop = await provideProduct(project, { REGISTRATION: "open", BILLING: "open" });
  return async () => {
    await stop();
    say();
  };
}
