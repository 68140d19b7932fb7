import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

import { z } from "zod";

import { writePrivateFile } from "./atomic-file.ts";

/**
 * Below the range from which operating systems take the local ports of outgoing connections
 * (Linux from 32768, others from 49152): a service that restarts finds its port free.
 */
const LOWEST = 20_000;
const BEYOND = 32_000;

const handedOut = new Set<number>();

/** Lets ports be handed out again once nothing of their instance listens on them any more. */
export function giveBackPorts(ports: Iterable<number>): void {
  for (const port of ports) handedOut.delete(port);
}

/** Whether a TCP port can be listened on at an address right now. */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * A free loopback port that this process has not handed out before.
 * @param preferred taken when it is free, so that addresses survive a restart
 */
export async function choosePort(preferred?: number): Promise<number> {
  for (let attempt = 0, port = preferred; attempt < 200; attempt += 1) {
    const candidate = port ?? randomInt(LOWEST, BEYOND);
    port = undefined;
    if (handedOut.has(candidate)) continue;
    // Taken at once, not after the answer: two callers must not probe the same port together.
    handedOut.add(candidate);
    if (await isPortFree(candidate)) return candidate;
    handedOut.delete(candidate);
  }
  throw new Error("No free port was found on 127.0.0.1");
}

const fileIn = (dataDir: string): string => join(dataDir, "ports.json");
const Ports = z.record(z.string(), z.number().int().min(1).max(65_535));

/** The ports that were chosen last. */
export async function chosenPorts(dataDir: string): Promise<Record<string, number>> {
  const text = await readFile(fileIn(dataDir), "utf8").catch(() => "{}");
  return Ports.parse(JSON.parse(text));
}

/**
 * One free loopback port for each name, the same ones as last time wherever they are still free, so
 * that a saved database connection goes on working after a restart. Kept in `ports.json`.
 */
export async function choosePorts(
  dataDir: string,
  names: readonly string[],
): Promise<Record<string, number>> {
  const before = await chosenPorts(dataDir);
  const pairs = await Promise.all(
    names.map(async (name) => [name, await choosePort(before[name])] as const),
  );
  const now = Object.fromEntries(pairs);
  if (names.some((name) => now[name] !== before[name])) {
    await writePrivateFile(fileIn(dataDir), `${JSON.stringify(now, null, 2)}\n`);
  }
  return now;
}
