import {
  attemptsMax,
  downloadsMax,
  holdReviewMs,
  leaseMs,
  officerWarnings,
  packageMs,
} from "@pro-talent/schemas/privacy/clocks";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";
import { requestTypes } from "@pro-talent/schemas/privacy/request";
import {
  publicStatusOf,
  type Transition,
  transitions,
} from "@pro-talent/schemas/privacy/transitions";

const titles = {
  access: "A copy of all data",
  delete: "The deletion of an account",
  correct: "A correction",
  "cancel-deletion": "The end of a deletion",
} as const;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const clocks = [
  ["identity", "14 days from receipt", "`IdentityExpired`; it moves no other clock"],
  ["decision and notice", "end of the 21st day after receipt, Asia/Jerusalem", "`DueDateMissed`"],
  ["warning of officers", officerWarnings.join(", ") + ", 8:00", "mail; from day 18 on to all"],
  ["assignment", `${leaseMs / minuteMs} minutes`, "another officer may take it"],
  ["package", `${packageMs / dayMs} days, ${downloadsMax} downloads`, "`PackageExpired`"],
  ["grace period", `${privacyLimits.graceDays} days from receipt`, "`EraseClaimed`"],
  ["review of a hold", `at most ${holdReviewMs / dayMs} days`, "an officer releases it"],
  ["attempts of a step", `${attemptsMax}`, "`RequestStalled`"],
  [
    "backups",
    `${privacyLimits.backupDays} days from receipt`,
    "fails visibly without `BackupsAged`",
  ],
] as const;

/** `none` is where mermaid begins; a status that ends a request leads to its end. */
function diagramOf(rows: readonly Transition[]): string {
  const lines = rows
    .filter(({ event }) => event !== "NoticeTried")
    .flatMap(({ from, to, event, by }) =>
      from.map((status) => `  ${status === "none" ? "[*]" : status} --> ${to}: ${event} (${by})`),
    );
  return ["```mermaid", "stateDiagram-v2", ...lines, "  completed --> [*]", "```"].join("\n");
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const guardsOf = (rows: readonly Transition[]): string =>
  table(
    ["event", "by", "from", "to", "guards", "outcome"],
    rows
      .filter(({ event }) => event !== "NoticeTried")
      .map(({ event, by, from, to, guards, outcome }) => [
        event,
        by,
        from.join(", "),
        to,
        guards.join(", ") || "–",
        outcome ?? "–",
      ]),
  );

/** The states of privacy requests as a document, from the table of transitions alone. */
export function describeRequests(): string {
  const sections = requestTypes.map((type) =>
    [`## ${titles[type]}`, diagramOf(transitions[type]), guardsOf(transitions[type])].join("\n\n"),
  );
  const statuses = Object.entries(publicStatusOf).map(([status, shown]) => [status, shown]);
  return `${[
    "# Privacy requests",
    "Made from `schemas/privacy/transitions.ts`; `npm test -- infra/quality/privacy -u` writes it anew. The decider, the forms, the model check and this document follow from that table. A holder, an officer, the service or the clock brings an event about; by `rule` it follows at once when its guards hold. The rules of the guards are in `services/ledger/domains/privacy/guards.decider.ts`. A notice by mail (`NoticeTried`) goes on beside everything and changes no status.",
    "## Clocks",
    table(["clock", "time", "then"], clocks),
    "## What its holder reads",
    table(["status", "shown as"], statuses),
    ...sections,
  ].join("\n\n")}\n`;
}
