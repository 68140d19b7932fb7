import type { AnyMachineSnapshot, EventObject } from "xstate";
import type { StatePath } from "xstate/graph";

/** What a person or the platform does next, and what the machine says comes of it. */
export type Step<Snapshot> = { event: EventObject; state: Snapshot };
/** One way through a machine. */
export type Way<Snapshot> = { name: string; steps: readonly Step<Snapshot>[] };

const nameOf = ({ type, ...rest }: EventObject): string =>
  `${type.replace(/^xstate\./, "")} ${JSON.stringify(rest)}`;

/** The ways that these paths go. One that is the beginning of another is gone with that other. */
export function waysOf<Snapshot extends AnyMachineSnapshot, Event extends EventObject>(
  paths: readonly StatePath<Snapshot, Event>[],
): Way<Snapshot>[] {
  const ways = paths.map(({ steps }) => {
    // The first step is the machine's own beginning.
    const taken = steps.slice(1).map(({ event, state }) => ({ event, state }));
    return { name: taken.map(({ event }) => nameOf(event)).join(" > "), steps: taken };
  });
  return ways.filter(
    ({ name }) => name !== "" && !ways.some((other) => other.name.startsWith(`${name} > `)),
  );
}
