import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { cruiseBoundaries, type Survey } from "../boundaries/cruise-boundaries.ts";
import { boundaryRules } from "../boundaries/rules.ts";
import { allowedEdges, boundaryCanaries } from "./boundaries.ts";
import { plant, type Plot } from "./plant.ts";

let plot: Plot;
let survey: Survey;

beforeAll(async () => {
  const planted = Object.values(boundaryCanaries).flatMap((files) => Object.entries(files));
  plot = plant({ ...allowedEdges, ...Object.fromEntries(planted) });
  survey = await cruiseBoundaries(plot.directory);
});

afterAll(() => plot.remove());

describe("the boundaries between rooms", () => {
  it("have a planted crossing for every rule", () => {
    const rules = boundaryRules.map((rule) => String(rule.name)).toSorted();
    expect(Object.keys(boundaryCanaries).toSorted()).toEqual(rules);
  });

  it.each(Object.keys(boundaryCanaries))("report the planted crossing: %s", (rule) => {
    const offenders = Object.keys(boundaryCanaries[rule] ?? {});
    const found = survey.crossings.filter((crossing) => crossing.rule === rule);
    expect(found.map((crossing) => crossing.from)).toEqual(
      expect.arrayContaining([expect.toSatisfy((from: string) => offenders.includes(from))]),
    );
  });

  it("leave allowed imports alone", () => {
    const innocent = Object.keys(allowedEdges);
    expect(survey.crossings.filter((crossing) => innocent.includes(crossing.from))).toEqual([]);
  });

  it("read every source file, so that silence means health", () => {
    expect(survey.modules).toBe(survey.sources);
    expect(survey.sources).toBeGreaterThan(30);
  });
});
