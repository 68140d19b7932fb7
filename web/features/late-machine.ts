import { useEffect, useState, useSyncExternalStore } from "react";

/** A running machine, seen from a form: what to show, and whom to tell. */
export type Desk<View, Event> = {
  view: () => View;
  send: (event: Event) => void;
  subscribe: (listener: () => void) => void;
  stop: () => void;
};

/** The part of a running machine's actor that a form looks at. */
type Running<Snapshot, Event> = {
  getSnapshot: () => Snapshot;
  send: (event: Event) => void;
  subscribe: (listener: () => void) => unknown;
  stop: () => unknown;
};

/** A machine that has been started, as a form sees it. */
export function deskOf<Snapshot, View, Event>(
  actor: Running<Snapshot, Event>,
  viewOf: (snapshot: Snapshot) => View,
): Desk<View, Event> {
  return {
    view: () => viewOf(actor.getSnapshot()),
    send: (event) => actor.send(event),
    subscribe: (listener) => void actor.subscribe(listener),
    stop: () => void actor.stop(),
  };
}

export type LatePlan<View, Event> = {
  initial: View;
  /** What an event changes on screen before the machine is there to say it. */
  foresee: (view: View, event: Event) => View;
  /** Whether somebody waits for what an event does. Such an event never happens later by surprise. */
  urges: (event: Event) => boolean;
  /** What is shown when the machine's code cannot be fetched for an event that urges. */
  unreachable: (view: View) => View;
  /** Fetches the machine's code and starts it. */
  open: () => Promise<Desk<View, Event>>;
};

/**
 * A machine whose code comes with the first touch of its form. Events that happen before wait in
 * order and are handed over, so nothing that was typed is lost.
 */
export class LateMachine<View, Event> {
  readonly #plan: LatePlan<View, Event>;
  readonly #listeners = new Set<() => void>();
  #view: View;
  #waiting: Event[] = [];
  #opening = false;
  #desk: Desk<View, Event> | undefined;
  /** An apology is on screen; a machine that comes late does not wipe it off, the next event does. */
  #sorry = false;
  /** Counts how often the form has gone, so that what was fetched for an earlier time is stopped. */
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

  /** Somebody is about to use the form. */
  readonly wake = (): void => {
    if (this.#opening) return;
    this.#opening = true;
    void this.#open();
  };

  readonly send = (event: Event): void => {
    if (this.#desk !== undefined) {
      this.#desk.send(event);
      return;
    }
    this.#sorry = false;
    this.#waiting.push(event);
    this.#show(this.#plan.foresee(this.#view, event));
    this.wake();
  };

  /** The form is gone from the page. */
  readonly close = (): void => {
    this.#times += 1;
    this.#desk?.stop();
    this.#desk = undefined;
    this.#opening = false;
  };

  async #open(): Promise<void> {
    const time = this.#times;
    try {
      const desk = await this.#plan.open();
      if (time === this.#times) this.#handOver(desk);
      else desk.stop();
    } catch {
      // Most likely offline. What was typed stays, and the next touch tries again.
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

  #handOver(desk: Desk<View, Event>): void {
    this.#desk = desk;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) desk.send(event);
    desk.subscribe(() => this.#show(desk.view()));
    if (!this.#sorry) this.#show(desk.view());
  }

  #show(view: View): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}

/** A late machine that lives as long as its form is on the page. `plan` is read once. */
export function useLateMachine<View, Event>(plan: LatePlan<View, Event>) {
  const [machine] = useState(() => new LateMachine(plan));
  useEffect(() => machine.close, [machine]);
  const view = useSyncExternalStore(machine.subscribe, machine.view, machine.view);
  return { view, send: machine.send, wake: machine.wake };
}
