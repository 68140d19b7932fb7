// Brings a clone to the state in which it can start or be tested: npm's packages as the lockfile
// names them, and the web application built. Does nothing, quickly, when both are there.
//
// Plain JavaScript without dependencies: it runs before anything is installed, on Node 20.

import { fileURLToPath } from "node:url";

import { buildWeb } from "./prepare/build-web.mjs";
import { installPackages } from "./prepare/install-packages.mjs";
import { withLock } from "./prepare/lock.mjs";

/** The directory of the clone; `PREPARE_ROOT` points tests at another one. */
const root = process.env.PREPARE_ROOT ?? fileURLToPath(new URL("../..", import.meta.url));
try {
  // Several commands may prepare the same clone at once; the later ones find it done.
  await withLock(root, async () => {
    await installPackages(root);
    await buildWeb(root);
  });
} catch (error) {
  console.error(`\n  ✗ ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
