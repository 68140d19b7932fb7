import { fileURLToPath } from "node:url";

/** Where Node keeps compiled modules, so that programs start faster the next time. */
export const compileCache = fileURLToPath(
  new URL("../../../node_modules/.cache/compiled", import.meta.url),
);
