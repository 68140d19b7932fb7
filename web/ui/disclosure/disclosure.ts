/** Delay before a panel closes after the pointer has left. */
const closeDelayMs = 200;

export type Disclosure = {
  open: boolean;
  /** Opened by hover: the first press keeps it open instead of closing it. */
  byPointing: boolean;
  /** When the panel closes after the pointer has left; undefined while it stays open. */
  closesAt: number | undefined;
};

export type DisclosureEvent =
  | { type: "pointer.entered" }
  | { type: "pointer.left"; at: number }
  | { type: "pressed" }
  | { type: "time.passed"; at: number }
  /** Escape, a chosen item, or focus or a press elsewhere. */
  | { type: "dismissed" };

export const closed: Disclosure = { open: false, byPointing: false, closesAt: undefined };

/** The state after an event. Times are in milliseconds of one clock. */
export function disclosureAfter(state: Disclosure, event: DisclosureEvent): Disclosure {
  switch (event.type) {
    case "pointer.entered":
      return { open: true, byPointing: !state.open || state.byPointing, closesAt: undefined };
    case "pointer.left":
      return state.open ? { ...state, closesAt: event.at + closeDelayMs } : state;
    case "pressed":
      if (state.open && !state.byPointing) return closed;
      return { open: true, byPointing: false, closesAt: state.closesAt };
    case "time.passed":
      return state.closesAt !== undefined && event.at >= state.closesAt ? closed : state;
    case "dismissed":
      return state.open ? closed : state;
  }
}
