import { explore } from "@pro-talent/ledger/domains/privacy/testing/explore";
import { type Bounds, deletionModel } from "@pro-talent/ledger/domains/privacy/testing/model";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";

const one = { officers: 1, workers: 1, holder: true } as const;
const cases: readonly (readonly [string, Bounds])[] = [
  ["an officer, a worker, a backup and its restore", { ...one, disasters: "restores" }],
  ["an officer and two workers that get the same job", { ...one, workers: 2, disasters: "none" }],
  ["two officers who act on what they saw", { ...one, officers: 2, disasters: "none" }],
];

/** Explores a deletion in every order of events, with the decider that the ledger uses. */
export async function privacyModelDrill({
  report,
  states: max,
}: DrillOptions & { states: number }): Promise<Finding[]> {
  return cases.map(([name, bounds]) => {
    const { states, complete, broken, stuck } = explore(deletionModel(bounds), max);
    report(`${name}: ${states} states${complete ? ", all there are" : ""}`);
    const course = broken?.course ?? stuck;
    return {
      statement: `a deletion keeps its promises${complete ? " and ends" : ""} with ${name}`,
      holds: course === null,
      figures: course === null ? `${states} states` : course.join(" > "),
    };
  });
}
