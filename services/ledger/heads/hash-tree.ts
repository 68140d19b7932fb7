import { createHash } from "node:crypto";

import type { Queryable } from "@pro-talent/platform/postgres/pool";

/** Leaves and nodes are marked, so that neither passes for the other (RFC 6962, §2.1). */
const [leafMark, nodeMark] = [Buffer.of(0), Buffer.of(1)];
const sha256 = (...parts: readonly Buffer[]): Buffer =>
  createHash("sha256").update(Buffer.concat(parts)).digest();

/** A range of leaves that belong to one node. */
type Range = { readonly leaves: readonly Buffer[]; readonly from: number; readonly to: number };

/** Where a node divides: the largest power of two below the number of its leaves. */
const divisionOf = ({ from, to }: Range): number =>
  from + 2 ** Math.floor(Math.log2(to - from - 1));

function rootOf(range: Range): Buffer {
  const { leaves, from, to } = range;
  if (to - from === 1) return sha256(leafMark, leaves[from] ?? Buffer.of());
  const middle = divisionOf(range);
  return sha256(
    nodeMark,
    rootOf({ leaves, from, to: middle }),
    rootOf({ leaves, from: middle, to }),
  );
}

function pathIn(range: Range, index: number): readonly string[] {
  const { leaves, from, to } = range;
  if (to - from === 1) return [];
  const middle = divisionOf(range);
  const [left, right] = [
    { leaves, from, to: middle },
    { leaves, from: middle, to },
  ];
  return index < middle
    ? [...pathIn(left, index), `right ${rootOf(right).toString("hex")}`]
    : [...pathIn(right, index), `left ${rootOf(left).toString("hex")}`];
}

/** The root of the Merkle tree over hashes of events, at least one, in hexadecimal. */
export const treeRoot = (hashes: readonly Buffer[]): string =>
  rootOf({ leaves: hashes, from: 0, to: hashes.length }).toString("hex");

/** What leads from one hash to the root: the other child of each node above it, with its side. */
export const treePath = (hashes: readonly Buffer[], index: number): readonly string[] =>
  pathIn({ leaves: hashes, from: 0, to: hashes.length }, index);

/** The hashes of the events from one position to another, both included. */
export async function hashesOf(
  sql: Queryable,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly Buffer[]> {
  const rows = await sql<{ hash: Buffer }[]>`
    select hash from ledger.event where pos between ${from} and ${to} order by pos`;
  return rows.map(({ hash }) => hash);
}
