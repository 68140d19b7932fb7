import { parseArgs } from "node:util";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import { operatorClock, printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { LegalChange } from "@pro-talent/schemas/legal-changes/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { operatorCause, withDatabaseAs } from "../../kernel/operator.ts";
import { announcedChanges, changesAnnounced, countNotices } from "./changes.ts";
import { announceChange } from "./notify.ts";

/**
 * Material changes of the terms and the privacy policy, for operators. A mail that was sent cannot be taken
 * back: an announcement is final. Ends with 1 when nothing was announced, or nothing is to be shown.
 *
 *     npm run terms -- announce --document terms --version 2027-02-01 --effective 2027-02-01
 *                               --summary-en <text> --summary-he <text>
 *     npm run terms -- status     where the notices of each change stand
 */
const usage =
  "Use: status, or announce --document <terms|privacy> --version <day> --effective <day> --summary-en <text> --summary-he <text>";

const reasons: Readonly<Record<string, string>> = {
  "too-early": "It is refused: the effective day must be at least 30 days ahead.",
  "not-newer": "It is refused: the version must be later than the one in force.",
  "announced-otherwise": "It is refused: this version was announced with another day or summary.",
};

const text = { type: "string" } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    document: text,
    version: text,
    effective: text,
    "summary-en": text,
    "summary-he": text,
  },
});

async function announce(sql: Sql, change: LegalChange): Promise<number> {
  const ledger = { sql, readModels: [announcedChanges] };
  const now = instantFromMs(operatorClock(process.env)());
  const result = await announceChange(ledger, change, { now, cause: operatorCause() });
  if (typeof result === "object") {
    printLine(reasons[result.refused] ?? `It is refused: ${result.refused}`);
    return 1;
  }
  printLine(
    result === "announced"
      ? "It is announced. The notices follow within minutes."
      : "It was announced before.",
  );
  return 0;
}

async function status(sql: Sql): Promise<number> {
  const announced = await changesAnnounced(sql);
  for (const { changeId, document, version, effectiveOn } of announced) {
    const { delivered, refused, waiting } = await countNotices(sql, changeId);
    const counts = `delivered ${delivered}, refused ${refused}, outstanding ${waiting}`;
    printLine(`${document} ${version}, effective ${effectiveOn} at the earliest: ${counts}`);
  }
  if (announced.length === 0) printLine("No change is announced.");
  return announced.length === 0 ? 1 : 0;
}

await runCommand(async () => {
  const [command, ...more] = positionals;
  const options = { applicationName: "terms" };
  if (command === "status" && more.length === 0)
    return await withDatabaseAs("ledger_operator", process.env, options, status);
  const change = LegalChange.safeParse({
    document: values.document,
    version: values.version,
    effectiveOn: values.effective,
    summary: { en: values["summary-en"], he: values["summary-he"] },
  });
  if (command !== "announce" || more.length > 0 || !change.success) {
    printLine(usage);
    return 1;
  }
  return await withDatabaseAs("ledger_operator", process.env, options, (sql) =>
    announce(sql, change.data),
  );
});
