import { open } from "node:fs/promises";

import Fastify from "fastify";

/**
 * What the pipeline is compared with: a bare Fastify route that answers 202 to a JSON body, and
 * the same route that answers only after a shared write and fdatasync (group commit). Nothing is
 * parsed beyond JSON, nothing is looked up. Mode and file come as arguments; the address is
 * printed on standard output.
 */
type Waiting = { line: string; resolve: () => void; reject: (error: Error) => void };

async function groupCommit(path: string): Promise<(line: string) => Promise<void>> {
  const file = await open(path, "a");
  let waiting: Waiting[] = [];
  let busy = false;
  const flush = async (): Promise<void> => {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await file.appendFile(batch.map((entry) => entry.line).join(""));
        await file.datasync();
        for (const entry of batch) entry.resolve();
      } catch (error) {
        const reason = error instanceof Error ? error : new Error(String(error));
        for (const entry of batch) entry.reject(reason);
      }
    }
    busy = false;
  };
  return (line) =>
    new Promise((resolve, reject) => {
      waiting.push({ line, resolve, reject });
      if (!busy) void flush();
    });
}

const [mode, path] = process.argv.slice(2);
const app = Fastify({ bodyLimit: 16 * 1024 });
const commit = mode === "fsync" && path !== undefined ? await groupCommit(path) : undefined;
app.post("/api/analytics/track/pageview", async (request, reply) => {
  if (commit !== undefined) await commit(`${JSON.stringify(request.body)}\n`);
  return reply.code(202).send({ outcome: "stored" });
});
console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
