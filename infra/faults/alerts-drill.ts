import { until } from "@pro-talent/platform/testing/until";

import { readRules } from "../observability/rules.ts";
import { type AlertFault, alertFaults } from "./alert-faults.ts";
import { type AlertStack, alertBounds, openAlertStack } from "./alert-stack.ts";
import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";

/** Scaled times, and a machine on which other things run. */
const firesWithinMs = 120_000;
/** A set of backups is taken and restored meanwhile. */
const quietWithinMs = 240_000;

/** One fault, from its beginning until its alerts are quiet again. */
async function drill(stack: AlertStack, { by, alerts, provoke }: AlertFault): Promise<Finding[]> {
  const { prometheus } = stack;
  const before = new Map(alerts.map((alert) => [alert, prometheus.fired(alert)]));
  const timesOf = (alert: string): number => prometheus.fired(alert) - (before.get(alert) ?? 0);
  const endFault = await provoke(stack);
  const fire = () => alerts.every((alert) => timesOf(alert) > 0);
  const isFired = await until("it fires", fire, firesWithinMs).then(
    () => true,
    () => false,
  );
  await endFault();
  const quiet = () => alerts.every((alert) => !prometheus.isFiring(alert));
  const isQuiet = await until("it is quiet", quiet, quietWithinMs).then(
    () => true,
    () => false,
  );
  return alerts.map((alert) => ({
    statement: `${alert}, provoked by: ${by}`,
    holds: isFired && isQuiet && timesOf(alert) === 1,
    figures: `fired ${timesOf(alert)} ×, ${isQuiet ? "resolved" : "not resolved"}`,
  }));
}

/** A rule that is added needs a fault here. */
function everyRule(): Finding {
  const provoked = new Set(alertFaults.flatMap(({ alerts }) => alerts));
  const left = readRules().flatMap(({ alert }) => (provoked.has(alert) ? [] : [alert]));
  return {
    statement: "no alert is without its fault",
    holds: left.length === 0,
    figures: left.length === 0 ? `${provoked.size} alerts` : left.join(", "),
  };
}

/**
 * Every alert fires once when its fault happens to the running product, and is quiet once it has
 * ended: real processes, their figures read by Prometheus each second, the rules with a sixtieth of their times.
 */
export async function alertsDrill({ directory, report }: DrillOptions): Promise<Finding[]> {
  const stack = await openAlertStack(directory);
  const findings: Finding[] = [];
  try {
    report(
      `not as written, beside times: ${Object.entries(alertBounds)
        .map((pair) => pair.join(" → "))
        .join("; ")}`,
    );
    for (const fault of alertFaults) {
      const from = performance.now();
      findings.push(...(await drill(stack, fault)));
      report(`${fault.by}: ${Math.round((performance.now() - from) / 1000)} s`);
    }
    findings.push(everyRule());
  } finally {
    await stack.stop();
  }
  return findings;
}
