import { parseArgs } from "node:util";

import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { FastifyAdapter } from "@bull-board/fastify";
import { parseEnv, queueUrl } from "@pro-talent/platform/config/define-env";
import { backendOf } from "@pro-talent/platform/queue/backend";
import { printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { Queue } from "bullmq";
import Fastify from "fastify";
import { z } from "zod";

/** Each service has a queue of its name. */
const names = ["accounts", "collector", "ledger", "studio"];

function shownQueue(url: string, name: string, readOnlyMode: boolean): BullMQAdapter {
  const queue: unknown = backendOf(url, name).openQueue({});
  if (!(queue instanceof Queue)) throw new TypeError("The queue is not one of BullMQ");
  queue.on("error", () => undefined);
  // oxlint-disable-next-line typescript/no-unsafe-argument -- `instanceof` leaves the type arguments of the library open
  return new BullMQAdapter(queue, { readOnlyMode });
}

/**
 * `npm run queues`: bull-board on this machine alone, with `QUEUE_URL` of the workers. It shows jobs, which
 * hold ids and numbers; with `--write` they can be repeated and removed as well. It ends with Ctrl+C.
 */
await runCommand(async () => {
  const { values } = parseArgs({
    options: { write: { type: "boolean", default: false }, port: { type: "string", default: "0" } },
  });
  const env = parseEnv({ QUEUE_URL: queueUrl, HOST: z.string().default("127.0.0.1") }, process.env);
  const readOnlyMode = !values.write;
  const serverAdapter = new FastifyAdapter();
  createBullBoard({
    queues: names.map((name) => shownQueue(env.QUEUE_URL, name, readOnlyMode)),
    serverAdapter,
  });
  serverAdapter.setBasePath("/");
  const app = Fastify();
  await app.register(serverAdapter.registerPlugin(), { prefix: "/" });
  printLine(`Queues at ${await app.listen({ host: env.HOST, port: Number(values.port) })}`);
  return await new Promise<number>((resolve) => process.once("SIGINT", () => resolve(0)));
});
