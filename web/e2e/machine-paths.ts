import type { AnyMachineSnapshot, EventObject } from "xstate";
import type { StatePath } from "xstate/graph";

/** An event and the state that follows. */
export type Step<Snapshot> = { event: EventObject; state: Snapshot };
export type Way<Snapshot> = { name: string; steps: readonly Step<Snapshot>[] };

const nameOf = ({ type, ...rest }: EventObject): string =>
  `${type.replace(/^xstate\./, "")} ${JSON.stringify(rest)}`;

/** The ways of these paths. A way that another one begins with is left out. */
export function waysOf<Snapshot extends AnyMachineSnapshot, Event extends EventObject>(
  paths: readonly StatePath<Snapshot, Event>[],
): Way<Snapshot>[] {
  const ways = paths.map(({ steps }) => {
    // The first step is the start of the machine.
    const taken = steps.slice(1).map(({ event, state }) => ({ event, state }));
    return { name: taken.map(({ event }) => nameOf(event)).join(" > "), steps: taken };
  });
  return ways.filter(
    ({ name }) => name !== "" && !ways.some((other) => other.name.startsWith(`${name} > `)),
  );
}
