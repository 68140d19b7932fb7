import { createHash, randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Runs `work` while no other process of this machine does so for the same clone. */
export async function withLock(root, work) {
  // Outside the clone: node_modules is deleted as a whole while it is being installed.
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const file = join(tmpdir(), `pro-talent-prepare-${name}-${process.getuid?.() ?? 0}`);
  const claim = `${file}.${randomUUID()}`;
  writeFileSync(claim, String(process.pid));
  try {
    await acquire(file, claim);
    try {
      await work();
    } finally {
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(claim, { force: true });
  }
}

async function acquire(file, claim) {
  let reported = false;
  for (;;) {
    try {
      // A link appears with its content at once, or fails when the name is taken.
      linkSync(claim, file);
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = readHolder(file);
    if (holder !== undefined && !isAlive(holder)) {
      clearAway(file, `${claim}.stale`, holder);
      continue;
    }
    if (!reported) console.log("  Another command is preparing this clone; waiting for it …");
    reported = true;
    await delay(200);
  }
}

/** Removes the lock of a dead process, unless a living one has just replaced it. */
function clearAway(file, aside, dead) {
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  if (readHolder(aside) !== dead) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function readHolder(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    // Released between the two calls.
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
