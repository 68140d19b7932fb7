import { useEffect, useState, useSyncExternalStore } from "react";

/** A running machine, reduced to the view of a form. */
export type MachineHandle<View, Event> = {
  view: () => View;
  send: (event: Event) => void;
  subscribe: (listener: () => void) => void;
  stop: () => void;
};

/** The part of an XState actor in use. */
type Running<Snapshot, Event> = {
  getSnapshot: () => Snapshot;
  send: (event: Event) => void;
  subscribe: (listener: () => void) => unknown;
  stop: () => unknown;
};

export function machineHandle<Snapshot, View, Event>(
  actor: Running<Snapshot, Event>,
  viewOf: (snapshot: Snapshot) => View,
): MachineHandle<View, Event> {
  return {
    view: () => viewOf(actor.getSnapshot()),
    send: (event) => actor.send(event),
    subscribe: (listener) => void actor.subscribe(listener),
    stop: () => void actor.stop(),
  };
}

export type LatePlan<View, Event> = {
  initial: View;
  /** The view after an event while the machine is not loaded. */
  foresee: (view: View, event: Event) => View;
  /**
   * Whether the visitor waits for a result. Such an event is dropped, not repeated, if loading
   * fails.
   */
  urges: (event: Event) => boolean;
  /** The view when loading fails for an event that urges. */
  unreachable: (view: View) => View;
  /** Loads the machine's code and starts it. */
  open: () => Promise<MachineHandle<View, Event>>;
};

/**
 * A machine whose code is loaded at the first touch of its form. Earlier events wait in order, so
 * no input is lost.
 */
export class LateMachine<View, Event> {
  readonly #plan: LatePlan<View, Event>;
  readonly #listeners = new Set<() => void>();
  #view: View;
  #waiting: Event[] = [];
  #opening = false;
  #handle: MachineHandle<View, Event> | undefined;
  /** The `unreachable` view stays until the next event, also if the machine arrives. */
  #sorry = false;
  /** Counts closings, so that a machine loaded for an earlier opening is stopped. */
  #times = 0;

  constructor(plan: LatePlan<View, Event>) {
    this.#plan = plan;
    this.#view = plan.initial;
  }

  readonly view = (): View => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts loading, when the form is about to be used. */
  readonly wake = (): void => {
    if (this.#opening) return;
    this.#opening = true;
    void this.#open();
  };

  readonly send = (event: Event): void => {
    if (this.#handle !== undefined) {
      this.#handle.send(event);
      return;
    }
    this.#sorry = false;
    this.#waiting.push(event);
    this.#show(this.#plan.foresee(this.#view, event));
    this.wake();
  };

  readonly close = (): void => {
    this.#times += 1;
    this.#handle?.stop();
    this.#handle = undefined;
    this.#opening = false;
  };

  async #open(): Promise<void> {
    const time = this.#times;
    try {
      const handle = await this.#plan.open();
      if (time === this.#times) this.#handOver(handle);
      else handle.stop();
    } catch {
      // Probably offline. Input is kept, and the next touch tries again.
      this.#opening = false;
      this.#giveUpWaiting();
    }
  }

  #giveUpWaiting(): void {
    const kept = this.#waiting.filter((event) => !this.#plan.urges(event));
    if (kept.length === this.#waiting.length) return;
    this.#waiting = kept;
    this.#sorry = true;
    this.#show(this.#plan.unreachable(this.#view));
  }

  #handOver(handle: MachineHandle<View, Event>): void {
    this.#handle = handle;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) handle.send(event);
    handle.subscribe(() => this.#show(handle.view()));
    if (!this.#sorry) this.#show(handle.view());
  }

  #show(view: View): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}

/** A late machine for the lifetime of its form. `plan` is read once. */
export function useLateMachine<View, Event>(plan: LatePlan<View, Event>) {
  const [machine] = useState(() => new LateMachine(plan));
  useEffect(() => machine.close, [machine]);
  const view = useSyncExternalStore(machine.subscribe, machine.view, machine.view);
  return { view, send: machine.send, wake: machine.wake };
}
