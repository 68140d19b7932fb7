import { parseArgs } from "node:util";

import type { Transaction } from "@pro-talent/platform/postgres/pool";
import { operatorClock, printLine } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import type { SignedHead } from "@pro-talent/schemas/ledger/heads";
import { Day, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { dueZone } from "@pro-talent/schemas/privacy/clocks";

import { auditedRequests, type Period } from "./domains/privacy/audit/audit-period.ts";
import type { AuditedRequest } from "./domains/privacy/audit/audit-request.ts";
import { withDatabaseAs } from "./kernel/operator.ts";
import { explanations } from "./verifier/findings.ts";
import { givenHeads } from "./verifier/given-heads.ts";
import { verifyWithin } from "./verifier/verify.ts";

/**
 * `npm run privacy:audit -- [--from <day>] [--to <day>] [--head <file>]… [--public-key <hex>]… [--json]`: every
 * privacy request that was received in a period, each with the clocks that were met or missed, from the events
 * of the ledger alone and without personal data; ends with 1 when a clock was missed or the ledger is broken.
 *
 * `--from`, `--to`: first and last day of the period, as in `2026-01-31`, in the zone of due dates; everything
 * when absent. `--head`: signed heads that the ledger must continue; the chain is verified from the last one
 * before the period on, else as a whole. `--public-key`: keys that sign them. `--json`: one document instead of
 * a table.
 */
const argumentsOfCommand = {
  from: { type: "string" },
  to: { type: "string" },
  head: { type: "string", multiple: true, default: [] as string[] },
  "public-key": { type: "string", multiple: true, default: [] as string[] },
  json: { type: "boolean", default: false },
} as const;
const dayMs = 24 * 60 * 60_000;
const options = { applicationName: "privacy-audit", statementSecondsMax: 3600 };

type Asked = {
  readonly period: Period;
  readonly heads: readonly SignedHead[];
  readonly now: Instant;
};

async function audit(tx: Transaction, { period, heads, now }: Asked) {
  const before = heads.filter(({ at }) => period.from !== null && at < period.from).at(-1);
  const verified = await verifyWithin(tx, { heads, ...(before && { from: before }) });
  const requests = await auditedRequests(tx, period, now);
  const clocks = requests.flatMap((request) => request.clocks);
  return {
    period,
    madeAt: now,
    requests,
    clocks: {
      met: clocks.filter(({ result }) => result === "met").length,
      missed: clocks.filter(({ result }) => result === "missed").length,
      running: clocks.filter(({ result }) => result === "running").length,
      suspended: clocks.filter(({ result }) => result === "suspended").length,
    },
    ledger: {
      verifiedFrom: before?.position ?? 0,
      verifiedTo: verified.end.position,
      hash: verified.end.hash,
      heads: heads.length,
      findings: verified.findings.map(({ why, position }) => ({
        why,
        position,
        meaning: explanations[why],
      })),
      findingCount: verified.findingCount,
    },
  };
}
type Audit = Awaited<ReturnType<typeof audit>>;

function printTable({ requests, clocks, ledger }: Audit): void {
  printLine(["request".padEnd(8), "type".padEnd(15), "received".padEnd(10), "clocks"].join("  "));
  for (const request of requests) printLine(rowOf(request));
  for (const { why, position, meaning } of ledger.findings)
    printLine(`${position === null ? "" : `position ${position}: `}${why} (${meaning})`);
  printLine(
    `${requests.length} requests; clocks: ${clocks.met} met, ${clocks.missed} missed, ` +
      `${clocks.running} running, ${clocks.suspended} suspended by a hold`,
  );
  const against =
    ledger.heads === 0 ? "without signed heads" : `against ${ledger.heads} signed heads`;
  printLine(
    `Ledger verified ${against}, from position ${ledger.verifiedFrom} to ${ledger.verifiedTo}: ` +
      `${ledger.findingCount} finding(s)`,
  );
}

function rowOf({ requestId, type, receivedAt, clocks, status, outcome }: AuditedRequest): string {
  const day = (at: Instant): string => at.slice(0, 10);
  const results = clocks.map(({ clock, endsAt, result }) => `${clock} ${day(endsAt)} ${result}`);
  return [
    requestId.slice(0, 8),
    type.padEnd(15),
    day(receivedAt),
    `${results.join(", ")} (${outcome ?? status})`,
  ].join("  ");
}

function startOf(day: string | undefined, daysAfter: number): Instant | null {
  if (day === undefined) return null;
  const parsed = Day.safeParse(day);
  if (!parsed.success) throw new OperatorError(`${day} is no day, as in 2026-01-31.`);
  const next = new Date(Date.parse(parsed.data) + daysAfter * dayMs).toISOString().slice(0, 10);
  return startOfDay(Day.parse(next), dueZone);
}

await runCommand(async () => {
  const { values } = parseArgs({ options: argumentsOfCommand });
  const asked = {
    period: { from: startOf(values.from, 0), to: startOf(values.to, 1) },
    heads: await givenHeads(values.head, values["public-key"]),
    now: instantFromMs(operatorClock(process.env)()),
  };
  const mode = "isolation level repeatable read read only";
  const result = await withDatabaseAs("ledger_verifier", process.env, options, (sql) =>
    sql.begin(mode, (tx) => audit(tx, asked)),
  );
  if (values.json) printLine(JSON.stringify(result, undefined, 2));
  else printTable(result);
  return result.clocks.missed === 0 && result.ledger.findingCount === 0 ? 0 : 1;
});
