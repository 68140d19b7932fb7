import type { TestProject } from "vitest/node";

import { type Demo, makeDemo } from "../../../infra/embedded/demo-world.ts";
import { productServices } from "../../../infra/embedded/services/product-services.ts";
import { provideProduct } from "../product.global-setup.ts";
import { surveyEngines } from "./installed-browsers.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** One person for each role, and the password of all. */
    demo: Demo;
  }
}

/**
 * Starts the whole product, with registration and plans open to all, and says before and after all tests
 * which engines were not tested.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (): void => {
    for (const sentence of surveyEngines().missing) process.stderr.write(`\n${sentence}\n`);
  };
  say();
  const { dataDir, stop } = await provideProduct(project, {
    REGISTRATION: "open",
    BILLING: "open",
  });
  project.provide("demo", await makeDemo(dataDir, productServices));
  return async () => {
    await stop();
    say();
  };
}
