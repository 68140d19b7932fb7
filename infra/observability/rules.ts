import { readFileSync } from "node:fs";

import { parse } from "yaml";
import { z } from "zod";

const Rule = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.string() }),
  annotations: z.object({ summary: z.string(), runbook: z.string() }),
});
const Rules = z.object({ groups: z.array(z.object({ rules: z.array(Rule) })) });
const Dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
});
const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** The alert rules, as they are written. */
export function readRules(): z.infer<typeof Rule>[] {
  return Rules.parse(parse(read("alerts.yml"))).groups.flatMap(({ rules }) => rules);
}

/** Every figure that rules and dashboards look at. `up` is Prometheus's own. */
export function figuresLookedAt(): ReadonlySet<string> {
  const { panels } = Dashboard.parse(JSON.parse(read("grafana/pro-talent.json")));
  const expressions = [
    ...readRules().map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const names = expressions.flatMap(
    (expr) => expr.match(/\b(?:http|process|jobs|collector|ledger|accounts|backup)_\w+/gu) ?? [],
  );
  return new Set(names);
}
