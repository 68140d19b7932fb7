import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type {} from "@pro-talent/platform/testing/engines";
import type { TestProject } from "vitest/node";
import { z } from "zod";

import { enginesKind } from "./engines-kind.ts";

const Addresses = z.object({ postgresUrl: z.string(), clickhouseUrl: z.string() });

/** The addresses that the engines' process reports, or an error when it ends before that. */
function addressesFrom(child: ChildProcess): Promise<z.infer<typeof Addresses>> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(Addresses.parse(message)));
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`The engines did not start (exit code ${code}).`)),
    );
  });
}

/** Starts the engines once per run and hands their addresses to the tests under `engines`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kind = enginesKind(process.env["TEST_ENGINES"]);
  const child = fork(fileURLToPath(new URL("engines.process.ts", import.meta.url)), [kind]);
  project.provide("engines", { kind, ...(await addressesFrom(child)) });
  return async () => {
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  };
}
