import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { getContainerRuntimeClient } from "testcontainers";

import { hasRedis } from "../faults/redis-server.ts";

/**
 * Tests of `npm test` on what production has. Arguments after the first are those of `npm test`.
 *
 *     npm run test:processes                 journeys on the start commands of docker-compose.yml, a process for each
 *     npm run test:processes -- --redis      the same with Redis as the queue
 *     npm run test:redis                     suites of workers with Redis as the queue
 *     npm run test:containers                integration suites on the servers of docker-compose.yml, in Docker
 */
const [way = "", ...given] = process.argv.slice(2);
const onRedis = given.includes("--redis") || way === "redis";
const rest = given.filter((argument) => argument !== "--redis");
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every suite in which jobs wait in a queue. */
function suitesOfWorkers(): string[] {
  const marks = "openLedgerWorkers|openTestQueue|openQueueUnderTest|queueBackends";
  const found = execFileSync("git", ["grep", "-lE", marks, "--", "*.int.test.ts"], { cwd: root });
  return found.toString().trim().split("\n");
}

const hasDocker = async (): Promise<boolean> =>
  await getContainerRuntimeClient().then(
    () => true,
    () => false,
  );

const ways: Readonly<Record<string, () => { env: Record<string, string>; args: string[] }>> = {
  processes: () => ({ env: { PRODUCT: "processes" }, args: ["--project", "journeys", ...rest] }),
  containers: () => ({ env: { TEST_ENGINES: "servers" }, args: ["--project", "int", ...rest] }),
  redis: () => ({
    env: {},
    args: ["--project", "int", ...(rest.length > 0 ? rest : suitesOfWorkers())],
  }),
};
/** What this machine lacks. */
async function missing(): Promise<string | undefined> {
  if (way === "containers" && !(await hasDocker())) return "Docker does not answer on this machine";
  if (onRedis && !(await hasRedis()))
    return "redis-server is missing (apt-get install redis-server)";
  return undefined;
}

const lacks = await missing();
if (lacks === undefined) {
  const { env, args } = ways[way]?.() ?? { env: {}, args: rest };
  const program = fileURLToPath(new URL("test.ts", import.meta.url));
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env, ...(onRedis && { TEST_QUEUE: "redis" }) },
    stdio: "inherit",
  });
  await once(child, "exit");
  process.exitCode = child.exitCode ?? 1;
} else {
  console.error(`${lacks}: nothing was tested.`);
  process.exitCode = 1;
}
