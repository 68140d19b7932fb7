import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

import { z } from "zod";

import { choosePort } from "../embedded/ports.ts";
import { SupervisedProcess } from "../embedded/process/supervised-process.ts";

const observability = new URL("../observability/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, observability), "utf8");
const sampleEveryMs = 250;
const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Whether this machine has Prometheus. */
export const hasPrometheus = async (): Promise<boolean> =>
  await promisify(execFile)("prometheus", ["--version"]).then(
    () => true,
    () => false,
  );

/** The rules with a sixtieth of every time, and what else a drill cannot wait for: from, to. */
function shortened(rules: string, bounds: Readonly<Record<string, string>>): string {
  const short = rules
    .replaceAll(/(?<=for: |\[)(\d+)([smhd])/gu, (_, count: string, unit: string) => {
      const time = (Number(count) * (seconds[unit] ?? 1)) / 60;
      // A range needs several readings.
      return `${Math.max(4, Math.ceil(time))}s`;
    })
    .replaceAll(/(?<=for: )4s/gu, "2s");
  return Object.entries(bounds).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`No rule has: ${from}`);
    return text.replace(from, to);
  }, short);
}

const Alerts = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.record(z.string(), z.string()) })),
  }),
});

/**
 * Prometheus of this machine, which reads the figures of processes and evaluates the rules of the product every
 * second.
 * @param portOf where the process of a container listens
 * @param bounds parts of expressions, and what they are in the drill
 */
export async function startPrometheus(
  directory: string,
  portOf: (container: string) => number,
  bounds: Readonly<Record<string, string>>,
) {
  const home = join(directory, "prometheus");
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "alerts.yml"), shortened(read("alerts.yml"), bounds));
  const config = read("prometheus.yml")
    .replaceAll("15s", "1s")
    .replace("/etc/prometheus/", "")
    .replace(/alerting:\n.*\n/u, "")
    .replaceAll(/"([a-z-]+):3000"/gu, (_, name: string) => `"127.0.0.1:${portOf(name)}"`);
  await writeFile(
    join(home, "prometheus.yml"),
    config.replace("global: {", "global: { scrape_timeout: 1s,"),
  );
  const url = `http://127.0.0.1:${await choosePort()}`;
  const server = new SupervisedProcess({
    name: "prometheus",
    program: {
      command: "prometheus",
      args: [
        `--config.file=${join(home, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(home, "data")}`,
        `--web.listen-address=${new URL(url).host}`,
      ],
      isReady: async () => (await fetch(`${url}/-/ready`)).ok,
    },
    environment: {},
    directory: home,
    readyWithinMs: 30_000,
    stopSignal: "SIGTERM",
    stopWithinMs: 10_000,
    onLine: () => undefined,
    onEvent: () => undefined,
  });
  await server.start();
  const alerts = watchAlerts(url);
  return {
    ...alerts,
    stop: async (): Promise<void> => {
      await alerts.stop();
      await server.stop();
    },
  };
}

/** Looks again and again at what fires. */
function watchAlerts(url: string) {
  /** How often each alert began to fire. */
  const fired = new Map<string, number>();
  let firing: ReadonlySet<string> = new Set();
  const ended = new AbortController();
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const answer = await fetch(`${url}/api/v1/alerts`).then((response) => response.json());
      const now = new Set(
        Alerts.parse(answer).data.alerts.flatMap(({ state, labels }) =>
          state === "firing" ? [labels["alertname"] ?? ""] : [],
        ),
      );
      for (const name of now) if (!firing.has(name)) fired.set(name, (fired.get(name) ?? 0) + 1);
      firing = now;
      await delay(sampleEveryMs);
    }
  };
  const watching = watch();
  return {
    isFiring: (alert: string): boolean => firing.has(alert),
    /** How often it began to fire. */
    fired: (alert: string): number => fired.get(alert) ?? 0,
    stop: async (): Promise<void> => {
      ended.abort();
      await watching;
    },
  };
}
