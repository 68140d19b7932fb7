import { copyModel } from "@pro-talent/ledger/domains/privacy/testing/copy-model";
import { type Exploration, explore } from "@pro-talent/ledger/domains/privacy/testing/explore";
import { type Bounds, deletionModel } from "@pro-talent/ledger/domains/privacy/testing/model";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";

const one = { officers: 1, workers: 1, holder: true } as const;
const cases: readonly (readonly [string, Bounds])[] = [
  ["an officer, a worker, a backup and its restore", { ...one, disasters: "restores" }],
  ["an officer and two workers that get the same job", { ...one, workers: 2, disasters: "none" }],
  ["two officers who act on what they saw", { ...one, officers: 2, disasters: "none" }],
];

/** Explores a deletion, and a copy in review, in every order of events, with the decider that the ledger uses. */
export async function privacyModelDrill({
  report,
  states: max,
}: DrillOptions & { states: number }): Promise<Finding[]> {
  const finding = (what: string, { states, complete, broken, stuck }: Exploration): Finding => {
    report(`${what}: ${states} states${complete ? ", all there are" : ""}`);
    const course = broken?.course ?? stuck;
    return {
      statement: `keeps its promises${complete ? " and ends" : ""}: ${what}`,
      holds: course === null,
      figures: course === null ? `${states} states` : course.join(" > "),
    };
  };
  const copy = { proposals: 2, discards: 1, disasters: true };
  return [
    ...cases.map(([name, bounds]) =>
      finding(`a deletion with ${name}`, explore(deletionModel(bounds), max)),
    ),
    finding("a copy that two officers review", explore(copyModel(copy), max)),
  ];
}
