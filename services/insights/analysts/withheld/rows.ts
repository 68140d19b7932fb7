import type { QueryResult } from "@pro-talent/schemas/analysts/calls";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";

import { type Group, withholdGroups } from "../questions/withholding.ts";
import type { WithheldColumn } from "./shape.ts";

type Row = QueryResult["rows"][number];

const min = analystLimits.queryGroupVisitorsMin;

/**
 * The rows of a query whose small groups are withheld, in their order. Groups that are too small are left out, and another
 * one with them where they are one alone or too few together, as if the total were known: another tile may state it. Numbers
 * are rounded down to multiples of ten, and means to whole numbers, since two tiles may divide the same visitors in
 * different ways. For what a total and the rest of it then say of a group that is left out, it may always be one of nine
 * visitors: the total may be nine more than is said, and each part no more than is said.
 */
export function withholdRows(
  columns: readonly WithheldColumn[],
  rows: readonly Row[],
): { readonly rows: Row[]; readonly isWithheld: boolean } {
  const at = columns.indexOf("visitors");
  const groups = rows.map((row, index): Group => {
    const keys = row.filter((_, column) => columns[column] === "key");
    return { name: JSON.stringify([keys, index]), visitors: numberIn(row[at]), amount: 0 };
  });
  const visitors = groups.reduce((sum, group) => sum + group.visitors, 0);
  const shown = new Set(withholdGroups(groups, { visitors, amount: 0 }, { min }).groups);
  // Without groups there is one row, also where there was no visitor: which may be said.
  const isOpen = (group: Group | undefined): boolean =>
    group !== undefined && (shown.has(group) || group.visitors === 0);
  const open = rows.filter((_, index) => isOpen(groups[index]));
  return {
    rows: open.map((row) => row.map((value, column) => rounded(value, columns[column]))),
    isWithheld: open.length < rows.length,
  };
}

const numberIn = (value: Row[number] | undefined): number =>
  typeof value === "number" ? value : Number(typeof value === "string" ? value : 0);

function rounded(value: Row[number], column: WithheldColumn | undefined): Row[number] {
  if (column === undefined || column === "key" || value === null) return value;
  const number = numberIn(value);
  return column === "mean" ? Math.round(number) : number - (number % min);
}
