/**
 * Preloaded (`node --import`) into every Node process that the embedded start creates. The parent
 * holds the other end of an IPC channel; the kernel closes it however the parent ends, `kill -9`
 * included. Then this process ends as if it had been asked to, and by force if that takes too long.
 */

/** Longer than any orderly shutdown of a service. */
const FORCE_AFTER_MS = 15_000;

function endBecauseParentIsGone(): void {
  setTimeout(() => process.exit(1), FORCE_AFTER_MS).unref();
  process.kill(process.pid, "SIGTERM");
}

if (process.send !== undefined && !process.connected) {
  endBecauseParentIsGone();
} else {
  process.once("disconnect", endBecauseParentIsGone);
  // The channel alone must not keep a process alive that has finished its work.
  process.channel?.unref();
}
