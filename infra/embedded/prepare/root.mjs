import { fileURLToPath } from "node:url";

/** The directory of the clone; `PREPARE_ROOT` points tests at another one. */
export function repositoryRoot() {
  return process.env.PREPARE_ROOT ?? fileURLToPath(new URL("../../..", import.meta.url));
}
