import { relative } from "node:path";

import type { Runtime } from "./runtime-file.ts";
import { paint } from "./terminal.ts";

/** Where everything is, once it runs. Shows no password but the one of the caught mails. */
export function banner(runtime: Runtime, dataDir: string, tookMs: number): string {
  const shown = relative(process.cwd(), dataDir);
  const place = shown === "" || shown.startsWith("..") ? dataDir : shown;
  // Commands work on the default directory unless DATA_DIR names another one.
  const prefix = place === ".data" ? "" : `DATA_DIR=${place} `;
  const rows: [label: string, text: string, hint?: string][] = [
    ["Site", paint(["bold", "cyan"], runtime.origin)],
  ];
  if (runtime.mail !== undefined)
    rows.push(["Mail", paint("cyan", runtime.mail.webUrl), "catches every mail"]);
  if (runtime.clickhouse !== undefined) {
    rows.push(["ClickHouse", `${prefix}npm run clickhouse -- "SELECT * FROM sessions LIMIT 10"`]);
  }
  if (runtime.postgres !== undefined) {
    const { host, pathname } = new URL(runtime.postgres.ownerUrl);
    rows.push([
      "Postgres",
      `${host}${pathname}`,
      `with password: ${prefix}npm run -s postgres:url`,
    ]);
  }
  rows.push(["Data", place, `logs in ${place}/logs`]);
  const seconds = `ready in ${(tookMs / 1000).toFixed(1)} s`;
  return [
    "",
    `  ${paint(["bold", "green"], "Pro Talent is running")}  ${paint("dim", seconds)}`,
    "",
    ...rows.map(
      ([label, text, hint]) =>
        `  ${paint("dim", label.padEnd(11))} ${text}${hint === undefined ? "" : paint("dim", `  ${hint}`)}`,
    ),
    "",
    `  ${paint("dim", "Ctrl-C stops everything.")}`,
    "",
  ].join("\n");
}
