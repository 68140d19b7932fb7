import type { ChildProcess } from "node:child_process";

/** The operating system user that a process runs as. */
export type Identity = { uid: number; gid: number };

export type ProcessEvent =
  | { type: "died"; name: string; how: string; lines: readonly string[]; retryInMs: number }
  | { type: "restarted"; name: string; afterMs: number };

/**
 * What a process runs. A script of this repository is run by Node with an IPC channel: it sends
 * `"ready"` once it can do its work, and ends when the channel closes. Any other program is
 * polled.
 */
export type Program =
  | { script: string; args?: readonly string[] }
  | {
      command: string;
      args: readonly string[];
      /** Whether it can do its work. Called repeatedly while it starts. */
      isReady: (pid: number) => Promise<boolean>;
    };

/** How to run, watch and stop one process. */
export type ProcessSpec = {
  /** Short name for messages, as in "postgres". */
  name: string;
  program: Program;
  /** The whole environment of the process; nothing is inherited beside it. */
  environment: NodeJS.ProcessEnv;
  /** Its working directory. */
  directory: string;
  identity?: Identity | undefined;
  readyWithinMs: number;
  /** How often the first start is tried before it counts as failed. */
  firstStartAttempts?: number | undefined;
  /** Longest pause between starts that fail; ten seconds unless stated. */
  backoffMaxMs?: number;
  stopSignal: "SIGTERM" | "SIGINT";
  stopWithinMs: number;
  /** Runs before every launch, the first one included. */
  beforeLaunch?: (() => Promise<void>) | undefined;
  onLaunch?: ((child: ChildProcess) => void) | undefined;
  /** Completes a start, the first one included, once the process is ready. */
  onReady?: ((child: ChildProcess) => Promise<void>) | undefined;
  onLine: (line: string) => void;
  onEvent: (event: ProcessEvent) => void;
};

/** A process did not come up. The message names it, states how it ended and quotes its last lines. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
  readonly how: string;
  readonly lines: readonly string[];

  constructor(processName: string, how: string, lines: readonly string[]) {
    const quoted = lines.map((line) => `  │ ${line}`).join("\n");
    super(`${processName} ${how}${quoted === "" ? "" : `\n${quoted}`}`);
    this.how = how;
    this.lines = lines;
  }
}
