import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { fingerprint, readIfThere } from "./fingerprint.mjs";
import { runVisibly } from "./run-visibly.mjs";

const STAMP = "web/dist/.stamp";
/** Everything that the built application is made from. */
const SOURCES = ["web", "schemas", "package-lock.json"];
const NOT_SOURCES = new Set(["node_modules", "dist", ".types", "e2e"]);

/** Builds the web application unless it was built from exactly these sources. */
export async function buildWeb(root) {
  const description = readIfThere(join(root, "web/package.json"));
  if (description === undefined || JSON.parse(description).scripts?.build === undefined) return;
  const wanted = `${fingerprint(root, SOURCES, isNoSource)}\n`;
  const stamp = join(root, STAMP);
  if (readIfThere(stamp) === wanted) return;
  await runVisibly({
    title: "Building the web application",
    command: "npm",
    args: ["run", "--silent", "build", "-w", "web"],
    directory: root,
    advice: "The web application could not be built.",
  });
  mkdirSync(join(root, "web/dist"), { recursive: true });
  writeFileSync(stamp, wanted);
}

function isNoSource(name) {
  return NOT_SOURCES.has(name) || /\.(test|spec)\.tsx?$/.test(name);
}
