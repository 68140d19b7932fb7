import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { fingerprint, readIfThere } from "./fingerprint.mjs";
import { runVisibly } from "./run-visibly.mjs";

/** Inside node_modules, so that it disappears together with what it vouches for. */
const STAMP = "node_modules/.prepared";

/** Runs `npm ci` unless node_modules is what package-lock.json names, for this kind of machine. */
export async function installPackages(root) {
  const machine = `${process.platform}-${process.arch}`;
  const wanted = `${fingerprint(root, ["package-lock.json"])} ${machine}\n`;
  const stamp = join(root, STAMP);
  if (readIfThere(stamp) === wanted) return;
  if (!matchesLockfile(root) || !runsHere(root)) {
    const npm = npmCommand();
    await runVisibly({
      title: "Installing packages (the first time this takes about a minute)",
      command: npm.command,
      args: [...npm.args, "ci", "--no-audit", "--no-fund", "--loglevel=error"],
      directory: root,
      advice: "npm ci failed. Is the registry reachable?",
    });
  }
  writeFileSync(stamp, wanted);
}

/** The npm that runs this script, or the one on the PATH. */
function npmCommand() {
  const script = process.env.npm_execpath;
  const usable = script !== undefined && /npm-cli\.c?js$/.test(script) && existsSync(script);
  return usable ? { command: process.execPath, args: [script] } : { command: "npm", args: [] };
}

/**
 * Whether someone installed exactly these packages by hand: npm leaves a copy of the lockfile with
 * what it really installed. Optional packages may be missing, they are for other machines.
 */
function matchesLockfile(root) {
  const lockfile = packagesOf(join(root, "package-lock.json"));
  const installed = packagesOf(join(root, "node_modules/.package-lock.json"));
  if (lockfile === undefined || installed === undefined) return false;
  return Object.entries(lockfile).every(([path, wanted]) => {
    if (!path.includes("node_modules/")) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
    return (
      wanted.link === true ||
      (found.version === wanted.version && found.integrity === wanted.integrity)
    );
  });
}

function packagesOf(file) {
  const text = readIfThere(file);
  return text === undefined ? undefined : JSON.parse(text).packages;
}

/** Whether node_modules holds a Node for this machine (it may have been copied from another one). */
function runsHere(root) {
  const node = join(root, "node_modules/.bin/node");
  const { stdout } = spawnSync(node, ["-p", "process.platform + process.arch"], {
    encoding: "utf8",
  });
  return stdout?.trim() === process.platform + process.arch;
}
