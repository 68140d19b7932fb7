import { availableParallelism, cpus, release, totalmem } from "node:os";

/** The machine on which figures were taken, in one line. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${availableParallelism()} cores (${model}), ${memory} GiB, Linux ${release()}, Node ${process.version}`;
}
