import { randomInt } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import {
  type DemoPart,
  DemoPerson,
  type DemoWorld,
  demoClock,
} from "@pro-talent/platform/runtime/demo";
import { LockHeld, takeLock } from "@pro-talent/platform/runtime/file-lock";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { z } from "zod";

import { writePrivateFile } from "./atomic-file.ts";
import { readInstanceSettings } from "./instance-context.ts";
import { readRuntime } from "./runtime-file.ts";
import type { ServiceDefinition } from "./services/service-definition.ts";
import { serviceEnvironment } from "./services/services-process.ts";
import { paint } from "./terminal.ts";

/** The sign-ins of a data directory's demo, once they work. Readable for its owner only. */
const Demo = z.object({ password: z.string(), people: z.array(DemoPerson) });
export type Demo = z.infer<typeof Demo>;

const fileIn = (dataDir: string): string => join(dataDir, "demo.json");

/** Undefined when there is none yet, or none that this version understands. */
export async function readDemo(dataDir: string): Promise<Demo | undefined> {
  const text = await readFile(fileIn(dataDir), "utf8").catch(() => undefined);
  return text === undefined ? undefined : Demo.safeParse(JSON.parse(text)).data;
}

/** Ways to look into the product, each with what it shows. */
const shown: Readonly<Record<DemoPerson["name"], string>> = {
  premium: "six months of a subscription and of opened links, premium now",
  free: "the free plan, in Hebrew",
  officer: "privacy officer, with a code",
  analyst: "analyst, with a code",
  administrator: "administrator, with a code",
};

/** The sign-ins, as they follow the banner. */
export function describeDemo({ password, people }: Demo): string {
  const rows = people.map(
    ({ name, email }) =>
      `  ${paint("dim", "           ")} ${email.padEnd(28)}${paint("dim", shown[name])}`,
  );
  return [
    `  ${paint("dim", "Demo       ")} sign in at /login; every password is ${paint("cyan", password)}`,
    ...rows,
    `  ${paint("dim", "            codes: npm run demo -- --codes     anew: npm run demo -- --reset")}`,
    "",
  ].join("\n");
}

type Parts = readonly {
  readonly part: DemoPart;
  readonly source: Record<string, string | undefined>;
}[];

/**
 * The parts of all services, for the instance that runs on a data directory.
 * @throws OperatorError when none runs there, and in production
 */
async function partsOf(dataDir: string, services: readonly ServiceDefinition[]): Promise<Parts> {
  const runtime = await readRuntime(dataDir);
  if (runtime === undefined) {
    throw new OperatorError(`Nothing is running on ${dataDir}. Start it with: npm start`);
  }
  const settings = await readInstanceSettings(dataDir);
  return Promise.all(
    services.flatMap((service) =>
      service.demo === undefined
        ? []
        : [
            service.demo().then((part) => ({
              part,
              source: { ...process.env, ...serviceEnvironment(service, settings, runtime.origin) },
            })),
          ],
    ),
  );
}

/**
 * Makes the demo of a running instance unless it has one.
 * @throws OperatorError as {@link partsOf}, and when another process is making it
 */
export async function makeDemo(
  dataDir: string,
  services: readonly ServiceDefinition[],
): Promise<Demo> {
  return alone(dataDir, services, async (parts) => {
    const known = await readDemo(dataDir);
    if (known !== undefined) return known;
    const [first] = parts;
    const nowMs = demoClock(first?.source ?? process.env)();
    const world: DemoWorld = { nowMs, password: newPassword(), people: [], links: [] };
    for (const { part, source } of parts) await part.make(source, world);
    const demo = { password: world.password, people: world.people };
    await writePrivateFile(fileIn(dataDir), `${JSON.stringify(demo, null, 2)}\n`);
    return demo;
  });
}

/** Removes the demo as far as that is possible. @returns what stays, in sentences */
export async function removeDemo(
  dataDir: string,
  services: readonly ServiceDefinition[],
): Promise<readonly string[]> {
  return alone(dataDir, services, async (parts) => {
    const demo = await readDemo(dataDir);
    if (demo === undefined) return [];
    const stays: string[] = [];
    for (const { part, source } of parts.toReversed()) {
      stays.push(...(await part.remove(source, demo.people)));
    }
    await rm(fileIn(dataDir), { force: true });
    return stays;
  });
}

async function alone<Result>(
  dataDir: string,
  services: readonly ServiceDefinition[],
  work: (parts: Parts) => Promise<Result>,
): Promise<Result> {
  // Before anything is read: refused in production whatever runs there.
  demoClock({ ...process.env, TEST_CLOCK_FILE: fileIn(dataDir) });
  const parts = await partsOf(dataDir, services);
  const lock = lockOf(dataDir);
  try {
    return await work(parts);
  } finally {
    lock.release();
  }
}

function lockOf(dataDir: string) {
  try {
    return takeLock(join(dataDir, "demo.lock"));
  } catch (error) {
    if (error instanceof LockHeld) throw new OperatorError("The demo is being made already.");
    throw error;
  }
}

const characters = "abcdefghjkmnpqrstuvwxyz23456789";

/** Of 12 characters that are easily typed. */
function newPassword(): string {
  const part = (): string =>
    Array.from({ length: 4 }, () => characters[randomInt(characters.length)]).join("");
  return [part(), part(), part()].join("-");
}
