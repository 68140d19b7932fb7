/** A value of a document, as JSON has it. */
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Entry = { id: string } & { [key: string]: Json };

/** A field that both sides changed to different values. `null` where a side deleted it. */
export type Conflict = {
  /** Keys and ids from the root: `sections/s1/entries/e2/role`. */
  readonly path: string;
  readonly theirs: Json;
  readonly mine: Json;
};

const same = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const isRecord = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEntry = (value: Json): value is Entry => isRecord(value) && typeof value["id"] === "string";
const isEntries = (value: Json | undefined): value is Entry[] =>
  Array.isArray(value) && value.every(isEntry);

/**
 * Three-way merge of documents by field: what one side changed is taken over, entries are recognised by their ids,
 * and an entry that one side edited and the other deleted stays. A field that both changed keeps `mine` and is a
 * conflict that names both; an entry that one side moved to another section, and the other edited, stands where
 * mine has it. Merging the same change again changes nothing, so that a request may be repeated.
 * @param base what both sides started from
 */
export function mergeDocuments(base: Json, theirs: Json, mine: Json) {
  const conflicts: Conflict[] = [];
  const merged = mergeValue({ base, theirs, mine }, "", conflicts);
  return { merged: withoutRepeats(merged, mine, conflicts), conflicts };
}

type Place = { readonly id: string; readonly path: string; readonly entry: Entry };

/** Every entry with the path at which it stands. */
function placesIn(value: Json, path = ""): Place[] {
  if (Array.isArray(value))
    return value.flatMap((item): Place[] => {
      if (!isEntry(item)) return [];
      const at = `${path}/${item.id}`;
      return [{ id: item.id, path: at, entry: item }, ...placesIn(item, at)];
    });
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    placesIn(inner, path === "" ? key : `${path}/${key}`),
  );
}

/** Of an entry that stands at two places, one stays: that of mine, or else the first. */
function withoutRepeats(merged: Json, mine: Json, found: Conflict[]): Json {
  const byId = Map.groupBy(placesIn(merged), ({ id }) => id);
  const repeated = [...byId.values()].filter((places) => places.length > 1);
  if (repeated.length === 0) return merged;
  const own = new Set(placesIn(mine).map(({ path }) => path));
  const dropped = new Set<string>();
  for (const places of repeated) {
    const kept = places.find(({ path }) => own.has(path)) ?? places[0];
    for (const place of places) {
      if (place === kept || kept === undefined) continue;
      dropped.add(place.path);
      if (!same(place.entry, kept.entry))
        found.push({ path: place.path, theirs: place.entry, mine: kept.entry });
    }
  }
  return without(merged, dropped);
}

function without(value: Json, dropped: ReadonlySet<string>, path = ""): Json {
  if (Array.isArray(value))
    return value.flatMap((item): Json[] => {
      if (!isEntry(item)) return [item];
      const at = `${path}/${item.id}`;
      return dropped.has(at) ? [] : [without(item, dropped, at)];
    });
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(
    ([key, inner]) => [key, without(inner, dropped, path === "" ? key : `${path}/${key}`)] as const,
  );
  return Object.fromEntries(fields);
}

type Sides<T> = { readonly base: T; readonly theirs: T; readonly mine: T };

function mergeValue({ base, theirs, mine }: Sides<Json>, path: string, found: Conflict[]): Json {
  if (same(mine, theirs) || same(theirs, base)) return mine;
  if (same(mine, base)) return theirs;
  if (isEntries(base) && isEntries(theirs) && isEntries(mine))
    return mergeEntries({ base, theirs, mine }, path, found);
  if (isRecord(base) && isRecord(theirs) && isRecord(mine)) {
    const keys = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
    const fields = Array.from(keys, (key) => {
      const [before, their, my] = [base[key] ?? null, theirs[key] ?? null, mine[key] ?? null];
      const at = path === "" ? key : `${path}/${key}`;
      return [key, mergeValue({ base: before, theirs: their, mine: my }, at, found)] as const;
    });
    return Object.fromEntries(fields);
  }
  found.push({ path, theirs, mine });
  return mine;
}

function mergeEntries(sides: Sides<readonly Entry[]>, path: string, found: Conflict[]): Json {
  const find = (entries: readonly Entry[], id: string) => entries.find((entry) => entry.id === id);
  return mergedOrder(sides).flatMap((id): Json[] => {
    const at = `${path}/${id}`;
    const [base, theirs, mine] = [
      find(sides.base, id),
      find(sides.theirs, id),
      find(sides.mine, id),
    ];
    if (theirs !== undefined && mine !== undefined)
      return [mergeValue({ base: base ?? null, theirs, mine }, at, found)];
    const kept = theirs ?? mine;
    if (kept === undefined || same(kept, base)) return [];
    if (base !== undefined) found.push({ path: at, theirs: theirs ?? null, mine: mine ?? null });
    return [kept];
  });
}

/** Ids in the order of the side that moved some; of both, in mine. New ones follow the one they followed on their side. */
function mergedOrder({ base, theirs, mine }: Sides<readonly Entry[]>): string[] {
  const [before, their, my] = [base, theirs, mine].map((entries) => entries.map(({ id }) => id));
  if (before === undefined || their === undefined || my === undefined) return [];
  const inAll = (ids: readonly string[]) =>
    ids.filter((id) => before.includes(id) && their.includes(id) && my.includes(id));
  const isMoved = !same(inAll(my), inAll(before));
  const [order, other] = isMoved ? [[...my], their] : [[...their], my];
  for (const [index, id] of other.entries()) {
    if (order.includes(id)) continue;
    const previous = other[index - 1];
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id);
  }
  return order;
}
