import { type SyntheticEvent, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** What a form reports to its machine: the values once, at submit; of editing only the field. */
export type FormEvent = { type: "submit"; data: FormData } | { type: "edited"; field: string };

/** The part of an XState actor in use. */
type FormActor<Snapshot> = {
  start: () => unknown;
  stop: () => unknown;
  send: (event: FormEvent) => void;
  subscribe: (listener: (snapshot: Snapshot) => void) => unknown;
};

/** Posts without scripts, and resolves only if the visitor returns to this document. */
async function postPlainly(form: HTMLFormElement): Promise<void> {
  const left = new Promise((resolve) => {
    window.addEventListener("pagehide", resolve, { once: true });
  });
  form.submit();
  await left;
}

/** An actor whose code is loaded when it is needed; undefined as long as it is not there. */
function useLateActor<Snapshot>(open: () => Promise<FormActor<Snapshot>>) {
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const opening = useRef<Promise<FormActor<Snapshot>>>(undefined);
  const actor = useRef<FormActor<Snapshot>>(undefined);
  const wake = useCallback(async (): Promise<FormActor<Snapshot>> => {
    opening.current ??= open();
    const loading = opening.current;
    try {
      const loaded = await loading;
      // Several callers wait for the same code, and the form may have closed meanwhile.
      if (actor.current === undefined && opening.current === loading) {
        actor.current = loaded;
        loaded.subscribe((next) => setSnapshot(() => next));
      }
      // Also of a form that has closed: what was submitted before is sent.
      loaded.start();
      return loaded;
    } catch (error) {
      // The next call tries again.
      if (opening.current === loading) opening.current = undefined;
      throw error;
    }
  }, [open]);
  useEffect(
    () => () => {
      actor.current?.stop();
      actor.current = undefined;
      opening.current = undefined;
    },
    [],
  );
  return { snapshot, actor, wake };
}

/** What is submitted: the fields, and the button if it has a name. */
function submittedData({
  currentTarget,
  nativeEvent,
}: SyntheticEvent<HTMLFormElement, SubmitEvent>) {
  const data = new FormData(currentTarget);
  const { submitter } = nativeEvent;
  if (submitter instanceof HTMLButtonElement && submitter.name !== "")
    data.append(submitter.name, submitter.value);
  return data;
}

/**
 * Connects a form to its machine. The browser holds the values; without scripts, and until the
 * application runs, the form posts them itself. `open` loads the machine's code at the first touch
 * and returns its actor, not started; it must be a stable function. `prepare` adds to the submitted
 * values what no field holds.
 *
 * A submission waits for the code (`waiting`). Without it the browser posts the form; offline that
 * would lose the page, so the form stays as it is (`unreachable`).
 */
export function useFormMachine<Snapshot>(
  open: () => Promise<FormActor<Snapshot>>,
  prepare?: (data: FormData) => void,
) {
  const { snapshot, actor, wake } = useLateActor(open);
  const [waiting, setWaiting] = useState(false);
  const [unreachable, setUnreachable] = useState(false);
  const pressed = useRef(false);
  const submit = async (form: HTMLFormElement, data: FormData): Promise<void> => {
    pressed.current = true;
    setWaiting(true);
    try {
      (await wake()).send({ type: "submit", data });
    } catch {
      // Disabled fields are not posted.
      flushSync(() => setWaiting(false));
      if (navigator.onLine) await postPlainly(form);
      else setUnreachable(true);
    }
    setWaiting(false);
    pressed.current = false;
  };
  const onSubmit = (event: SyntheticEvent<HTMLFormElement, SubmitEvent>): void => {
    event.preventDefault();
    if (pressed.current) return;
    setUnreachable(false);
    const data = submittedData(event);
    prepare?.(data);
    if (actor.current === undefined) void submit(event.currentTarget, data);
    else actor.current.send({ type: "submit", data });
  };
  const onInput = ({ target }: SyntheticEvent<HTMLFormElement>): void => {
    setUnreachable(false);
    const field = target instanceof Element ? (target.getAttribute("name") ?? "") : "";
    actor.current?.send({ type: "edited", field });
  };
  /** Loads the code before it is needed, and says when that is not possible. */
  const load = useCallback((): void => {
    wake().catch(() => setUnreachable(true));
  }, [wake]);
  const warm = (): void => void wake().catch(() => undefined);
  const events = { onSubmit, onInput, onFocus: warm, onPointerEnter: warm };
  return { snapshot, waiting, unreachable, load, events };
}

/** The text of a field; empty if there is none. */
export function textIn(data: FormData, field: string): string {
  const value = data.get(field);
  return typeof value === "string" ? value : "";
}
