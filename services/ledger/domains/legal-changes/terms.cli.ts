import { parseArgs } from "node:util";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import { operatorClock, printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { operatorCause, withDatabaseAs } from "../../kernel/operator.ts";
import { announcedChanges, changesAnnounced, countNotices } from "./changes.ts";
import { announceChange, Announcement } from "./notify.ts";

/**
 * Material changes of the terms and the privacy policy, for operators: the version that this release states
 * as the coming one. A mail that was sent cannot be taken back: an announcement is final. Ends with 1 when
 * nothing was announced, or nothing is to be shown.
 *
 *     npm run terms -- announce --document terms --summary-en <text> --summary-he <text>
 *     npm run terms -- status     where the notices of each change stand
 */
const usage =
  "Use: status, or announce --document <terms|privacy> --summary-en <text> --summary-he <text>";

const reasons: Readonly<Record<string, string>> = {
  "no-coming-version":
    "It is refused: this release states no coming version of the document (comingVersions).",
  "too-early": "It is refused: the coming version must be at least 30 days ahead.",
  "not-newer": "It is refused: the version must be later than the one in force.",
  "announced-otherwise": "It is refused: this version was announced with another summary.",
};

const text = { type: "string" } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { document: text, "summary-en": text, "summary-he": text },
});

async function announce(sql: Sql, announcement: Announcement): Promise<number> {
  const ledger = { sql, readModels: [announcedChanges] };
  const now = instantFromMs(operatorClock(process.env)());
  const result = await announceChange(ledger, announcement, { now, cause: operatorCause() });
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
  for (const { changeId, document, version } of announced) {
    printLine(`${document} ${version}`);
    for (const { recipient, delivered, refused, waiting } of await countNotices(sql, changeId))
      printLine(
        `  ${recipient}s: delivered ${delivered}, refused ${refused}, outstanding ${waiting}`,
      );
  }
  if (announced.length === 0) printLine("No change is announced.");
  return announced.length === 0 ? 1 : 0;
}

await runCommand(async () => {
  const [command, ...more] = positionals;
  const options = { applicationName: "terms" };
  if (command === "status" && more.length === 0)
    return await withDatabaseAs("ledger_operator", process.env, options, status);
  const announcement = Announcement.safeParse({
    document: values.document,
    summary: { en: values["summary-en"], he: values["summary-he"] },
  });
  if (command !== "announce" || more.length > 0 || !announcement.success) {
    printLine(usage);
    return 1;
  }
  return await withDatabaseAs("ledger_operator", process.env, options, (sql) =>
    announce(sql, announcement.data),
  );
});
