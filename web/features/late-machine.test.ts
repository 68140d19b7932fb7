import { describe, expect, test } from "vitest";

import { LateMachine, type MachineHandle } from "./late-machine.ts";

type Event = "typed" | "submitted";
type View = { typed: number; said: string };

/** A machine that counts `typed` events. */
function counterMachine(stopped: () => void = () => undefined): MachineHandle<View, Event> {
  let view: View = { typed: 0, said: "" };
  const listeners: (() => void)[] = [];
  return {
    view: () => view,
    send: (event) => {
      view = event === "typed" ? { ...view, typed: view.typed + 1 } : { ...view, said: "sent" };
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => void listeners.push(listener),
    stop: stopped,
  };
}

function late(open: () => Promise<MachineHandle<View, Event>>) {
  return new LateMachine<View, Event>({
    initial: { typed: 0, said: "" },
    foresee: (view, event) => (event === "typed" ? { ...view, typed: view.typed + 1 } : view),
    urges: (event) => event === "submitted",
    unreachable: (view) => ({ ...view, said: "offline" }),
    open,
  });
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a machine that comes with the first touch", () => {
  test("is not fetched before the form is touched", async () => {
    let fetched = 0;
    const machine = late(async () => {
      fetched += 1;
      return counterMachine();
    });
    await settle();
    expect(fetched).toBe(0);
    machine.wake();
    machine.wake();
    machine.send("typed");
    await settle();
    expect(fetched).toBe(1);
  });

  test("loses nothing that is typed before it is there", async () => {
    const machine = late(() => Promise.resolve(counterMachine()));
    machine.send("typed");
    machine.send("typed");
    expect(machine.view().typed).toBe(2);
    await settle();
    expect(machine.view().typed).toBe(2);
    machine.send("typed");
    expect(machine.view().typed).toBe(3);
  });

  test("sends what was submitted before it is there, once", async () => {
    const machine = late(() => Promise.resolve(counterMachine()));
    machine.send("submitted");
    expect(machine.view().said).toBe("");
    await settle();
    expect(machine.view().said).toBe("sent");
  });

  test("says so when it cannot be fetched, keeps what was typed and submits nothing later", async () => {
    let online = false;
    const machine = late(() =>
      online ? Promise.resolve(counterMachine()) : Promise.reject(new TypeError("offline")),
    );
    machine.send("typed");
    machine.send("submitted");
    await settle();
    expect(machine.view()).toEqual({ typed: 1, said: "offline" });
    online = true;
    machine.wake();
    await settle();
    expect(machine.view().said).toBe("offline");
    machine.send("typed");
    await settle();
    expect(machine.view()).toEqual({ typed: 2, said: "" });
  });

  test("shows nothing when it cannot be fetched and no event waits", async () => {
    const machine = late(() => Promise.reject(new TypeError("offline")));
    machine.wake();
    await settle();
    expect(machine.view().said).toBe("");
  });

  test("stops when the form closes, also if it arrives later", async () => {
    let stopped = 0;
    const handle = () => Promise.resolve(counterMachine(() => void (stopped += 1)));
    const here = late(handle);
    here.wake();
    await settle();
    here.close();
    const closed = late(handle);
    closed.wake();
    closed.close();
    await settle();
    expect(stopped).toBe(2);
  });

  test("notifies listeners until they unsubscribe", () => {
    const machine = late(() => Promise.resolve(counterMachine()));
    let heard = 0;
    const leave = machine.subscribe(() => void (heard += 1));
    machine.send("typed");
    leave();
    machine.send("typed");
    expect(heard).toBe(1);
  });
});
