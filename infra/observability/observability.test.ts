import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

import { productServices } from "../embedded/services/product-services.ts";
import { readRules } from "./rules.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const read = (path: string): string => readFileSync(path, "utf8");

const Cases = z.object({
  tests: z.array(
    z.object({
      input_series: z.array(z.object({ series: z.string() })),
      alert_rule_test: z.array(
        z.object({
          alertname: z.string(),
          exp_alerts: z.array(z.object({ exp_labels: z.object({ job: z.string() }) })),
        }),
      ),
    }),
  ),
});
const Scraped = z.object({ scrape_configs: z.array(z.object({ job_name: z.string() })) });

/** Whether a link to a document leads to a file, and to a heading in it. */
function leadsSomewhere(link: string): boolean {
  const [path = "", section] = link.split("#");
  if (!existsSync(join(root, path))) return false;
  const headings = [...read(join(root, path)).matchAll(/^#+ (.+)$/gmu)].map(([, text = ""]) =>
    text.toLowerCase().replaceAll(" ", "-"),
  );
  return section === undefined || headings.includes(section);
}

it("every alert has a runbook that exists, down to its section", () => {
  const rules = readRules();
  expect(rules.length).toBeGreaterThan(15);
  expect(rules.filter(({ annotations: { runbook } }) => !leadsSomewhere(runbook))).toEqual([]);
  expect(new Set(rules.map(({ labels }) => labels.severity))).toEqual(new Set(["page", "ticket"]));
});

it("every alert is shown to fire at some figures, and to be quiet at others", () => {
  const { tests } = Cases.parse(parse(read(join(here, "alerts.test.yml"))));
  const shown = tests.flatMap(({ alert_rule_test: cases, input_series: series }) => {
    const jobs = series.map(({ series: name }) => /job="(\w+)"/u.exec(name)?.[1]);
    expect(new Set(jobs)).toEqual(new Set(["late", "well"]));
    return cases.map(({ alertname, exp_alerts: alerts }) => ({ alertname, alerts }));
  });
  expect(shown.map(({ alertname }) => alertname).toSorted()).toEqual(
    readRules()
      .map(({ alert }) => alert)
      .toSorted(),
  );
  const firing = shown.flatMap(({ alerts }) => alerts.map(({ exp_labels: { job } }) => job));
  expect(firing).toEqual(shown.map(() => "late"));
});

it("the figures of every process are read", () => {
  const jobs = Scraped.parse(parse(read(join(here, "prometheus.yml")))).scrape_configs;
  const elsewhere = new Set(["mail", "payments-sandbox"]);
  const product = productServices.map(({ name }) => name).filter((name) => !elsewhere.has(name));
  expect(jobs.map(({ job_name: name }) => name).toSorted()).toEqual(
    [...product, "backups"].toSorted(),
  );
});

it("Prometheus judges the courses as written, where its program is installed", async () => {
  const run = promisify(execFile);
  const program = process.env["PROMTOOL"] ?? "promtool";
  const found = await run(program, ["--version"]).then(
    () => true,
    () => false,
  );
  if (!found) return;
  const { stdout } = await run(program, ["test", "rules", join(here, "alerts.test.yml")]);
  expect(stdout).toContain("SUCCESS");
});
