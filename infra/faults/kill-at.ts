import { appendFileSync } from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/**
 * Loaded before a program (`node --import`): ends the process with `kill -9` right before or right after
 * one of its changes to names and files, counted from 1. Each change is noted in `KILL_LOG` before.
 */
const at = Number(process.env["KILL_AT"] ?? 0);
const isAfter = process.env["KILL_WHEN"] === "after";
const log = process.env["KILL_LOG"] ?? "";
let changes = 0;

const changing = ["rename", "rm", "mkdir", "writeFile"] as const;
const original = { ...fs };

for (const name of changing) {
  const call = original[name];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same call, watched
  const watched = (async (...args: unknown[]) => {
    changes += 1;
    const isMeant = changes === at;
    if (log !== "") appendFileSync(log, `${changes} ${name} ${String(args[0])}\n`);
    if (isMeant && !isAfter) process.kill(process.pid, "SIGKILL");
    const result: unknown = await Reflect.apply(call, original, args);
    if (isMeant) process.kill(process.pid, "SIGKILL");
    return result;
  }) as never;
  Object.defineProperty(fs, name, { value: watched });
}
syncBuiltinESMExports();
