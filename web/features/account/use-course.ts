import { useCallback, useMemo } from "react";

import { type FormEvent, useFormMachine } from "../form-machine.ts";

type CourseActor<Snapshot, Event> = {
  start: () => unknown;
  stop: () => unknown;
  send: (event: FormEvent | Event) => void;
  subscribe: (listener: (snapshot: Snapshot) => void) => unknown;
};

/** Opens the machine, and sends to the one that was opened last. */
function courseOf<Snapshot, Event>(create: () => CourseActor<Snapshot, Event>) {
  let opened: CourseActor<Snapshot, Event> | undefined;
  return {
    open: () => Promise.resolve((opened = create())),
    send: (event: Event) => opened?.send(event),
  };
}

/**
 * A form whose machine also takes events that no form has, such as a button for another way. `create`
 * must be a stable function.
 */
export function useCourse<Snapshot, Event>(create: () => CourseActor<Snapshot, Event>) {
  const actor = useMemo(() => courseOf(create), [create]);
  const machine = useFormMachine<Snapshot>(actor.open);
  const { load } = machine;
  const send = useCallback(
    (event: Event): void => {
      // Opens the machine if nothing was touched before; it takes the event when it starts.
      load();
      actor.send(event);
    },
    [actor, load],
  );
  return { ...machine, send };
}
