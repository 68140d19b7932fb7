import type { AnyMachineSnapshot, EventObject } from "xstate";
import type { StatePath } from "xstate/graph";

/** An event and the state that follows. */
export type Step<Snapshot> = { event: EventObject; state: Snapshot };
export type Way<Snapshot> = { name: string; steps: readonly Step<Snapshot>[] };

/** The submitted values of a form. */
export function formData(values: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.append(name, value);
  return data;
}

/** One text per event and form data, for walks through a machine. */
export function serializeEvent({ type, ...rest }: EventObject): string {
  const parts = Object.entries(rest).map(([name, part]) =>
    part instanceof FormData ? [name, [...part]] : [name, part],
  );
  return `${type.replace(/^xstate\./, "")} ${JSON.stringify(Object.fromEntries(parts))}`;
}

/** The ways of these paths. A way that another one begins with is left out. */
export function waysOf<Snapshot extends AnyMachineSnapshot, Event extends EventObject>(
  paths: readonly StatePath<Snapshot, Event>[],
): Way<Snapshot>[] {
  const ways = paths.map(({ steps }) => {
    // The first step is the start of the machine.
    const taken = steps.slice(1).map(({ event, state }) => ({ event, state }));
    return { name: taken.map(({ event }) => serializeEvent(event)).join(" > "), steps: taken };
  });
  return ways.filter(
    ({ name }) => name !== "" && !ways.some((other) => other.name.startsWith(`${name} > `)),
  );
}
