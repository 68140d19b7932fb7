/** A state and the states that can follow it. */
export type Model<World> = {
  readonly start: World;
  readonly next: (world: World) => Iterable<readonly [action: string, world: World]>;
  /** Two worlds with the same key have the same future. */
  readonly key: (world: World) => string;
  /** Which promises are broken in a world. */
  readonly broken: (world: World) => readonly string[];
  /** Whether an end must be within reach of it, and whether it is one. */
  readonly mustEnd: (world: World) => boolean;
  readonly isEnd: (world: World) => boolean;
};

export type Exploration = {
  readonly states: number;
  /** Whether every state was visited. */
  readonly complete: boolean;
  /** The shortest course to a broken promise, and to a state from which no end can be reached. */
  readonly broken: { readonly promises: readonly string[]; readonly course: string[] } | null;
  readonly stuck: string[] | null;
};

type Node = { readonly before: number; readonly action: string };

/**
 * Visits the states of a model in order of their distance from the start, until a promise is broken or
 * `max` states are visited. When all were visited, it asks of each whether an end can be reached.
 */
export function explore<World>(model: Model<World>, max: number): Exploration {
  const nodes: Node[] = [{ before: -1, action: "" }];
  const places = new Map([[model.key(model.start), 0]]);
  const ends: number[] = [];
  const mustEnd: boolean[] = [];
  const earlier: number[][] = [[]];
  let frontier: (readonly [number, World])[] = [[0, model.start]];
  let visited = 0;
  while (frontier.length > 0) {
    const found: (readonly [number, World])[] = [];
    for (const [place, world] of frontier) {
      visited += 1;
      const promises = model.broken(world);
      if (promises.length > 0)
        return {
          states: visited,
          complete: false,
          broken: { promises, course: courseTo(nodes, place) },
          stuck: null,
        };
      if (visited >= max) return { states: visited, complete: false, broken: null, stuck: null };
      mustEnd[place] = model.mustEnd(world);
      if (model.isEnd(world)) ends.push(place);
      for (const [action, following] of model.next(world)) {
        const key = model.key(following);
        let known = places.get(key);
        if (known === undefined) {
          known = nodes.length;
          places.set(key, known);
          nodes.push({ before: place, action });
          earlier.push([]);
          found.push([known, following]);
        }
        earlier[known]?.push(place);
      }
    }
    frontier = found;
  }
  const stuck = firstWithoutEnd(earlier, ends, mustEnd);
  return {
    states: visited,
    complete: true,
    broken: null,
    stuck: stuck === undefined ? null : courseTo(nodes, stuck),
  };
}

function firstWithoutEnd(
  earlier: readonly (readonly number[])[],
  ends: readonly number[],
  mustEnd: readonly boolean[],
): number | undefined {
  const reaches = new Set(ends);
  const waiting = [...ends];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop())
    for (const before of earlier[place] ?? [])
      if (!reaches.has(before)) {
        reaches.add(before);
        waiting.push(before);
      }
  const place = mustEnd.findIndex((must, at) => must && !reaches.has(at));
  return place < 0 ? undefined : place;
}

function courseTo(nodes: readonly Node[], place: number): string[] {
  const course: string[] = [];
  for (let node = nodes[place]; node && node.before >= 0; node = nodes[node.before])
    course.unshift(node.action);
  return course;
}
