import { analystLimits } from "@pro-talent/schemas/analysts/limits";

/**
 * What is withheld of the answers of ready-made questions, so that no group of fewer than five visitors can be read
 * or computed from what is shown with it. What differs between two ranges of days, or between two questions, is not
 * covered: `infra/docs/analysts.md` says so.
 */

/** `min`: visitors of the smallest group that is named. `unit`: numbers are rounded down to its multiples. */
export type Fineness = { readonly min: number; readonly unit: number };

/** Of a question that is asked alone. */
export const exact: Fineness = { min: analystLimits.groupVisitorsMin, unit: 1 };

/**
 * Of tiles and deliveries. Beside them stand queries whose numbers are rounded: with exact ones, what the others are
 * together and the size of one of them would give the small one.
 */
export const inTens: Fineness = {
  min: analystLimits.queryGroupVisitorsMin,
  unit: analystLimits.queryGroupVisitorsMin,
};

const roundedTo = (unit: number, count: number): number => count - (count % unit);

type Size = { readonly visitors: number; readonly amount: number };
export type Group = Size & { readonly name: string };

/** No one, or enough. */
const isOpen = (visitors: number, min: number): boolean => visitors === 0 || visitors >= min;

const sumOf = (groups: readonly Group[]): Size => ({
  visitors: groups.reduce((sum, { visitors }) => sum + visitors, 0),
  amount: groups.reduce((sum, { amount }) => sum + amount, 0),
});

type Options = { readonly min: number; readonly rest?: Size | undefined };

/**
 * Names the groups that are large enough. The small ones are answered together; where they are one alone, or too few
 * even so, another group is added to them, which the total would reveal otherwise. That one is chosen by its name: chosen
 * by its size, the size of those beside it would say how large it is.
 * @param total of all groups; a visitor of two groups counts once
 * @param options `min`: visitors of the smallest group that is named; `rest`: further groups together, which are not named
 */
export function withholdGroups(groups: readonly Group[], total: Size, { min, rest }: Options) {
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
    groups: shown,
    others: (withheld.length > 1 || rest !== undefined) && others.visitors >= min ? others : null,
    total,
  };
}

/** The groups of an answer as they are stated, the largest first. @param rest further groups together */
export function statedGroups(
  groups: readonly Group[],
  total: Size,
  { min, unit, rest }: Fineness & Options,
) {
  const withheld = withholdGroups(groups, total, { min, rest });
  const stated = <Of extends Size>(size: Of): Of => ({
    ...size,
    visitors: roundedTo(unit, size.visitors),
    amount: roundedTo(unit, size.amount),
  });
  return {
    groups: withheld.groups
      .map((group) => stated(group))
      .toSorted((one, other) => other.visitors - one.visitors || (one.name < other.name ? -1 : 1)),
    others: withheld.others && stated(withheld.others),
    total: withheld.total && stated(withheld.total),
  };
}

/** Steps of which each is a part of the one before: neither who came so far nor who did not are too few. */
export function withholdSteps(
  steps: readonly number[],
  { min, unit }: Fineness,
): (number | null)[] {
  let before = 0;
  return steps.map((visitors, at) => {
    const left = at === 0 ? 0 : before - visitors;
    if (!isOpen(visitors, min) || !isOpen(left, min)) return null;
    before = visitors;
    return roundedTo(unit, visitors);
  });
}

export type Cohort = {
  readonly week: string;
  readonly visitors: number;
  readonly returned: readonly number[];
};

/** Cohorts that are large enough, and parts of them of which neither the part nor the rest is too small. */
export const withholdCohorts = (cohorts: readonly Cohort[], { min, unit }: Fineness) =>
  cohorts
    .filter(({ visitors }) => visitors >= min)
    .map(({ week, visitors, returned }) => ({
      week,
      visitors: roundedTo(unit, visitors),
      returned: returned.map((part) =>
        isOpen(part, min) && isOpen(visitors - part, min) ? roundedTo(unit, part) : null,
      ),
    }));
