import { analystLimits } from "@pro-talent/schemas/analysts/limits";

/**
 * What is withheld of the answers of ready-made questions, so that no group of fewer than five visitors can be read
 * or computed from what is shown with it. What differs between two ranges of days, or between two questions, is not
 * covered: `infra/docs/analysts.md` says so.
 */

const { groupVisitorsMin } = analystLimits;

type Size = { readonly visitors: number; readonly amount: number };
export type Group = Size & { readonly name: string };

/** No one, or enough. */
const isOpen = (visitors: number, min: number = groupVisitorsMin): boolean =>
  visitors === 0 || visitors >= min;

const sumOf = (groups: readonly Group[]): Size => ({
  visitors: groups.reduce((sum, { visitors }) => sum + visitors, 0),
  amount: groups.reduce((sum, { amount }) => sum + amount, 0),
});

type Options = { readonly min?: number; readonly rest?: Size | undefined };

/**
 * Names the groups that are large enough. The small ones are answered together; where they are one alone, or too few
 * even so, another group is added to them, which the total would reveal otherwise. That one is chosen by its name: chosen
 * by its size, the size of those beside it would say how large it is.
 * @param total of all groups; a visitor of two groups counts once
 * @param options `min`: visitors of the smallest group that is named; `rest`: further groups together, which are not named
 */
export function withholdGroups(
  groups: readonly Group[],
  total: Size,
  { min = groupVisitorsMin, rest }: Options = {},
) {
  const none = { groups: [], others: null };
  if (!isOpen(total.visitors, min)) return { ...none, total: null };
  const ordered = groups.toSorted((one, other) => (one.name < other.name ? 1 : -1));
  const unnamed = rest === undefined ? [] : [{ ...rest, name: "" }];
  const small = [...ordered.filter(({ visitors }) => visitors < min), ...unnamed];
  const large = ordered.filter(({ visitors }) => visitors >= min);
  const isAlone = small.length > 0 && sumOf(small).visitors < min;
  const withheld = isAlone ? [...small, ...large.slice(0, 1)] : small;
  const shown = isAlone ? large.slice(1) : large;
  const others = sumOf(withheld);
  return {
    groups: shown.toSorted(
      (one, other) => other.visitors - one.visitors || (one.name < other.name ? -1 : 1),
    ),
    others: (withheld.length > 1 || rest !== undefined) && others.visitors >= min ? others : null,
    total,
  };
}

/** Steps of which each is a part of the one before: neither who came so far nor who did not are too few. */
export function withholdSteps(steps: readonly number[]): (number | null)[] {
  let before = 0;
  return steps.map((visitors, at) => {
    const left = at === 0 ? 0 : before - visitors;
    if (!isOpen(visitors) || !isOpen(left)) return null;
    before = visitors;
    return visitors;
  });
}

export type Cohort = {
  readonly week: string;
  readonly visitors: number;
  readonly returned: readonly number[];
};

/** Cohorts that are large enough, and parts of them of which neither the part nor the rest is too small. */
export const withholdCohorts = (cohorts: readonly Cohort[]) =>
  cohorts
    .filter(({ visitors }) => visitors >= groupVisitorsMin)
    .map(({ week, visitors, returned }) => ({
      week,
      visitors,
      returned: returned.map((part) => (isOpen(part) && isOpen(visitors - part) ? part : null)),
    }));
