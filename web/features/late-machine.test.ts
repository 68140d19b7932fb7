import { describe, expect, test } from "vitest";

import { type Desk, LateMachine } from "./late-machine.ts";

type Event = "typed" | "submitted";
type View = { typed: number; said: string };

/** A desk that counts what is typed and says what it was told. */
function counterDesk(stopped: () => void = () => undefined): Desk<View, Event> {
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

function late(open: () => Promise<Desk<View, Event>>) {
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
  test("is not fetched before anybody touches the form", async () => {
    let fetched = 0;
    const machine = late(async () => {
      fetched += 1;
      return counterDesk();
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
    const machine = late(() => Promise.resolve(counterDesk()));
    machine.send("typed");
    machine.send("typed");
    expect(machine.view().typed).toBe(2);
    await settle();
    expect(machine.view().typed).toBe(2);
    machine.send("typed");
    expect(machine.view().typed).toBe(3);
  });

  test("sends what was submitted before it is there, once", async () => {
    const machine = late(() => Promise.resolve(counterDesk()));
    machine.send("submitted");
    expect(machine.view().said).toBe("");
    await settle();
    expect(machine.view().said).toBe("sent");
  });

  test("says so when it cannot be fetched, keeps what was typed and submits nothing later", async () => {
    let online = false;
    const machine = late(() =>
      online ? Promise.resolve(counterDesk()) : Promise.reject(new TypeError("offline")),
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

  test("says nothing when it cannot be fetched and nobody waits for it", async () => {
    const machine = late(() => Promise.reject(new TypeError("offline")));
    machine.wake();
    await settle();
    expect(machine.view().said).toBe("");
  });

  test("stops when the form is gone, also if it arrives only then", async () => {
    let stopped = 0;
    const desk = () => Promise.resolve(counterDesk(() => void (stopped += 1)));
    const here = late(desk);
    here.wake();
    await settle();
    here.close();
    const gone = late(desk);
    gone.wake();
    gone.close();
    await settle();
    expect(stopped).toBe(2);
  });

  test("tells whoever listens, until they no longer do", () => {
    const machine = late(() => Promise.resolve(counterDesk()));
    let heard = 0;
    const leave = machine.subscribe(() => void (heard += 1));
    machine.send("typed");
    leave();
    machine.send("typed");
    expect(heard).toBe(1);
  });
});
