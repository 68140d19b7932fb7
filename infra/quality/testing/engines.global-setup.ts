import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type {} from "@pro-talent/platform/testing/engines";
import type { TestProject } from "vitest/node";
import { z } from "zod";

const Engines = z.object({
  kind: z.enum(["embedded", "servers"]),
  postgresUrl: z.string(),
  clickhouseUrl: z.string(),
});

/**
 * Starts the engines once per run, in a process of their own, and passes their addresses to the
 * tests as `engines`. `TEST_ENGINES` is `embedded` (default) or `servers`.
 * @throws when it has another value, or the engines do not start: no test is skipped for want of one
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kind = process.env["TEST_ENGINES"] || "embedded";
  const child = fork(fileURLToPath(new URL("engines.process.ts", import.meta.url)), [kind]);
  const ended = once(child, "exit");
  const [engines] = await Promise.race([once(child, "message"), ended.then(() => [])]);
  if (engines === undefined) throw new Error("The engines did not start.");
  project.provide("engines", Engines.parse(engines));
  return async () => {
    child.disconnect();
    await ended;
  };
}
