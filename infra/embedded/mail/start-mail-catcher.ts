import { mkdir, realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { answersOk } from "../http-ready.ts";
import { choosePort } from "../ports.ts";
import { compileCache } from "../process/compile-cache.ts";
import { nodeArguments } from "../process/node-arguments.ts";
import type { ProcessEvent } from "../process/process-spec.ts";
import { SupervisedProcess } from "../process/supervised-process.ts";

export type MailCatcherOptions = {
  /** Caught mails are kept here as .eml files and shown again after a restart. */
  dataDir: string;
  smtpPort?: number | undefined;
  webPort?: number | undefined;
  onLog?: ((line: string) => void) | undefined;
  onEvent?: ((event: ProcessEvent) => void) | undefined;
};

export type RunningMailCatcher = {
  /** `smtp://127.0.0.1:<port>`, without encryption or sign-in. */
  smtpUrl: string;
  /** The mails in a browser; `<webUrl>/api/email` lists them as JSON. */
  webUrl: string;
  pid: () => number | undefined;
  stop: () => Promise<void>;
};

/** The oldest mails beyond this number are deleted. */
const MAILS_KEPT = 1000;

/**
 * Catches every mail that is sent to it, on loopback, and shows it in a browser; nothing leaves the
 * machine. Runs in a process of its own, which is started again when it dies.
 * @throws {StartFailure} with its last lines when it does not come up
 */
export async function startMailCatcher(options: MailCatcherOptions): Promise<RunningMailCatcher> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const directory = await realpath(options.dataDir);
  const smtpPort = options.smtpPort ?? (await choosePort());
  const webPort = options.webPort ?? (await choosePort());
  const webUrl = `http://127.0.0.1:${webPort}`;
  const catcher = new SupervisedProcess({
    name: "mail catcher",
    command: process.execPath,
    args: nodeArguments(
      fileURLToPath(new URL("bin/maildev.js", import.meta.resolve("maildev"))),
      `--smtp=${smtpPort}`,
      "--ip=127.0.0.1",
      `--web=${webPort}`,
      "--web-ip=127.0.0.1",
      `--mail-directory=${directory}`,
      `--max-emails=${MAILS_KEPT}`,
    ),
    // MAILDEV_* variables of the caller could make it relay mail to real addresses.
    environment: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: compileCache },
    directory,
    lifeline: "ipc",
    isReady: () => answersOk(`${webUrl}/api/healthz`),
    readyWithinMs: 20_000,
    // Seen once in some hundreds of starts: it hangs before its first line. Another start does not.
    firstStartAttempts: 2,
    stopSignal: "SIGTERM",
    stopWithinMs: 3000,
    onLine: options.onLog ?? (() => undefined),
    onEvent: options.onEvent ?? (() => undefined),
  });
  await catcher.start();
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    webUrl,
    pid: () => catcher.pid(),
    stop: () => catcher.stop(),
  };
}
