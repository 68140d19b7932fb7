import type { AttemptEnd } from "@pro-talent/platform/queue/work-on-queue";
import { Counter, Histogram, Registry } from "prom-client";

/** The host's metrics, in a registry of its own. Labels are closed sets: never input. */
export function createJobMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const attempts = new Counter({
    name: "jobs_attempts_total",
    help: "Attempts at jobs, by job and outcome (completed, failed)",
    labelNames: ["job", "outcome"] as const,
    registers,
  });
  const seconds = new Histogram({
    name: "jobs_attempt_seconds",
    help: "Duration of an attempt, by job",
    labelNames: ["job"] as const,
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
    registers,
  });
  return {
    registry,
    onEnd: ({ name, outcome, seconds: duration }: AttemptEnd): void => {
      attempts.inc({ job: name, outcome });
      seconds.observe({ job: name }, duration);
    },
  };
}
