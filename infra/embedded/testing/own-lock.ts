import { takeLock } from "@pro-talent/platform/runtime/file-lock";

/** Holds the lock given as argument until it is killed. */
const lock = takeLock(process.argv[2] ?? "");
console.log("taken");
setInterval(() => lock, 60_000);
