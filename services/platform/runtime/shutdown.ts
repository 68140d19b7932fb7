import type { Logger } from "./logger.ts";

type Step = { name: string; run: () => Promise<void> };

/**
 * Ordered shutdown of a process. Steps run one after another in the order in which they were
 * added (stop taking requests first, close stores last), once, within a deadline.
 */
export class Shutdown {
  readonly #steps: Step[] = [];
  readonly #log: Logger;
  readonly #deadlineMs: number;
  #running: Promise<void> | undefined;

  constructor(log: Logger, deadlineMs = 20_000) {
    this.#log = log;
    this.#deadlineMs = deadlineMs;
  }

  add(name: string, run: () => Promise<void>): void {
    this.#steps.push({ name, run });
  }

  /** Runs all steps; a step that fails is logged and the next ones still run. */
  run(): Promise<void> {
    this.#running ??= this.#runSteps();
    return this.#running;
  }

  /** Ends the process on SIGTERM, SIGINT, or when the parent that forked it is gone. */
  listen(): void {
    const end = (): void => {
      const timer = setTimeout(() => {
        this.#log.fatal("shutdown took too long");
        process.exit(1);
      }, this.#deadlineMs);
      timer.unref();
      void this.run().then(() => process.exit(process.exitCode ?? 0));
    };
    process.once("SIGTERM", end);
    process.once("SIGINT", end);
    process.once("disconnect", end);
  }

  async #runSteps(): Promise<void> {
    for (const step of this.#steps) {
      try {
        await step.run();
      } catch (error) {
        process.exitCode = 1;
        this.#log.error({ err: error, step: step.name }, "shutdown step failed");
      }
    }
  }
}
