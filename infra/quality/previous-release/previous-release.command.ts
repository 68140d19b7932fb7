import { execFile, spawn } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

import { decodeEvent } from "@pro-talent/ledger/kernel/events";
import { readFrozenFixtures } from "@pro-talent/ledger/kernel/testing/frozen-fixtures";
import { modules } from "@pro-talent/ledger/modules";

import { checkOut, migrateByThisTree } from "./released-tree.ts";

/**
 * `npm run test:previous-release`: the suites of the release before this tree, with its own code, on databases
 * that this tree has migrated; then this tree's code on every event that the release can have stored.
 *
 *     npm run test:previous-release                         the newest tag, else the commit in release.txt
 *     npm run test:previous-release -- --release v1.4.0
 *     npm run test:previous-release -- --all                every suite that reads or writes rows
 *     npm run test:previous-release -- services/accounts    some of them
 *     npm run test:previous-release -- --record             when a release is made: what it shares with the next
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    release: { type: "string" },
    all: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    minutes: { type: "string", default: "20" },
  },
});

const root = fileURLToPath(new URL("../../..", import.meta.url));
const releaseFile = fileURLToPath(new URL("release.txt", import.meta.url));
const vitest = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--config",
  "infra/quality/vitest.config.ts",
];

/** What writes and reads events and rows through each service, in a few minutes. */
const selection = [
  ..."append append-combined commands effects outbox processes subjects timers"
    .split(" ")
    .map((name) => `services/ledger/kernel/${name}.int.test.ts`),
  "services/ledger/domains/applications/routes.int.test.ts",
  "services/ledger/domains/billing/routes.int.test.ts",
  "services/ledger/domains/consent/routes.int.test.ts",
  "services/ledger/domains/contact",
  "services/ledger/domains/links/routes.int.test.ts",
  "services/ledger/domains/newsletter/messages.int.test.ts",
  "services/ledger/domains/newsletter/routes.int.test.ts",
  "services/ledger/domains/privacy/requests.int.test.ts",
  "services/ledger/domains/waitlist/places.int.test.ts",
  "services/accounts/sessions.int.test.ts",
  "services/accounts/sign-in.int.test.ts",
  "services/accounts/worker.int.test.ts",
  "services/collector/acknowledged-consent.int.test.ts",
  "services/collector/open-visitors.int.test.ts",
  "services/collector/ship/shipper.int.test.ts",
  "services/collector/specified-calls.int.test.ts",
  "services/collector/worker.int.test.ts",
  "services/studio/cvs.int.test.ts",
  "services/studio/files.int.test.ts",
];
/** Suites of the migrations themselves, and of what is exactly so in a database of their own release. */
const ofMigrations =
  /migrat|upgrade|rebuild|synchronise|rights|append-only|snapshots|decisions\.property|verifier|cli\.|measurement-views|daily-views|sessions-view/u;

const run = promisify(execFile);

/** The newest tag that is not this very commit, else what `release.txt` names. */
async function previousRelease(): Promise<string> {
  if (values.release !== undefined) return values.release;
  const tags = await run(
    "git",
    ["tag", "--list", "v*", "--sort=-creatordate", "--no-contains", "HEAD"],
    { cwd: root },
  );
  const [newest = ""] = tags.stdout.split("\n");
  return newest === "" ? readFileSync(releaseFile, "utf8").trim() : newest;
}

/** Ends by itself. @returns the exit code, also of what takes too long */
function runSuites(
  directory: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...vitest, "--project", "int", ...args], {
      cwd: directory,
      env: { ...process.env, ...env },
      stdio: "inherit",
      timeout: Number(values.minutes) * 60_000,
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

const suitesOf = (directory: string): readonly string[] => {
  if (positionals.length > 0) return positionals;
  if (!values.all) return selection.filter((path) => existsSync(join(directory, path)));
  const files = readdirSync(join(directory, "services"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".int.test.ts") && !file.includes("node_modules"))
    .filter((file) => !ofMigrations.test(file))
    .map((file) => `services/${file}`);
};

/** Reads every kind and version of event that the release can have stored. @returns those that fail */
function readEventsOf(directory: string): { read: number; failed: string[] } {
  const failed: string[] = [];
  let read = 0;
  for (const { name, events } of modules) {
    const folders = globSync(`services/ledger/domains/${name}/**/fixtures`, { cwd: directory });
    const stored = folders.flatMap((folder) => [...readFrozenFixtures(join(directory, folder))]);
    for (const [file, event] of stored) {
      const family = events.find(({ upcasts }) => upcasts.has(event.type));
      try {
        if (family === undefined) throw new Error("no family has this type");
        decodeEvent(family, event);
        read += 1;
      } catch (error) {
        failed.push(`${name}/${file}: ${String(error)}`);
      }
    }
  }
  return { read, failed };
}

if (values.record) {
  const { stdout } = await run("git", ["rev-parse", "HEAD"], { cwd: root });
  process.exitCode = await runSuites(root, ["infra/quality/previous-release"], {
    RECORD_RELEASE: "1",
  });
  if (process.exitCode === 0) writeFileSync(releaseFile, stdout);
} else {
  const release = await previousRelease();
  const directory = mkdtempSync(join(tmpdir(), "previous-release-"));
  try {
    console.log(`previous release ${release}, on databases of this tree`);
    await checkOut({ root, release, directory });
    const { read, failed } = readEventsOf(directory);
    for (const line of failed) console.log(`  FAILS  ${line}`);
    console.log(`  ${read} kinds and versions of its events are read, ${failed.length} are not`);
    migrateByThisTree(root, directory);
    const code = await runSuites(directory, suitesOf(directory));
    process.exitCode = code === 0 && failed.length === 0 ? 0 : 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
