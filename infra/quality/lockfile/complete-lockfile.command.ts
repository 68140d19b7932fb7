import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { completeLockfile, Lockfile, missingOptional } from "./platform-packages.ts";

/** Adds to package-lock.json the packages of other platforms; run it after `npm install`. */
const path = fileURLToPath(new URL("../../../package-lock.json", import.meta.url));
const text = readFileSync(path, "utf8");
const missing = missingOptional(Lockfile.parse(JSON.parse(text)));
if (missing.length > 0) writeFileSync(path, completeLockfile(text));
console.log(`${missing.length} platform packages added`);
