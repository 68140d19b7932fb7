import { workerData } from "node:worker_threads";

import { z } from "zod";

/** A thread of its own: it sees what the process holds while that is at work on a file. */
const { bytesMax } = z.object({ bytesMax: z.number() }).parse(workerData);
const intervalMs = 20;

setInterval(() => {
  if (process.memoryUsage.rss() > bytesMax) process.kill(process.pid, "SIGKILL");
}, intervalMs);
