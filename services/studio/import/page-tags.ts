import { z } from "zod";

/** A paragraph, heading, cell or list item of a tagged PDF. */
export type PageBlock = {
  readonly number: number;
  /** Of a heading, from 1; 0 for others. */
  readonly level: number;
  readonly isBullet: boolean;
};

type Tagged = { readonly block: PageBlock; readonly isLabel: boolean };
const Node = z.looseObject({
  role: z.string().optional(),
  type: z.string().optional(),
  id: z.string().optional(),
  children: z.array(z.unknown()).default([]),
});
/** Elements within a line. */
const inline = new Set([
  "Span",
  "Link",
  "Strong",
  "Em",
  "Quote",
  "Code",
  "Reference",
  "Annot",
  "LBody",
  "Lbl",
]);
const depthMax = 100;

/** The level of a heading from 1; 0 for other elements. */
const levelOf = (role: string): number =>
  role === "Title" ? 1 : Number(/^H([1-6])$/.exec(role)?.[1] ?? 0);

/** Whether an element is part of the block that it stands in. */
function isWithin(role: string, block: PageBlock): boolean {
  if (inline.has(role)) return true;
  return (block.level > 0 || block.isBullet) && levelOf(role) === 0 && role !== "LI";
}

/** What the texts of a page belong to, by the ids of their marks. @param root its structure, or null without one */
export function tagsOf(root: unknown): ReadonlyMap<string, Tagged> {
  const tags = new Map<string, Tagged>();
  let count = 0;
  const walk = (value: unknown, block: PageBlock, isLabel: boolean, depth: number): void => {
    const node = Node.safeParse(value).data;
    if (node === undefined || depth > depthMax) return;
    const { role, id, children } = node;
    if (role === undefined) {
      if (id !== undefined) tags.set(id, { block, isLabel });
      return;
    }
    const own = isWithin(role, block)
      ? block
      : { number: (count += 1), level: levelOf(role), isBullet: role === "LI" };
    for (const child of children) walk(child, own, isLabel || role === "Lbl", depth + 1);
  };
  walk(root, { number: 0, level: 0, isBullet: false }, false, 0);
  return tags;
}
