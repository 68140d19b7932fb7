/** Time a panel stays after the pointer has left, so that a slip does not close it. */
const closeDelayMs = 200;

/** Whether a panel is shown, and what opened it. */
export type Disclosure = {
  open: boolean;
  /** Opened by pointing alone: the first press keeps it open instead of closing it. */
  byPointing: boolean;
  /** When the pointer's leaving closes it; undefined while nothing is due. */
  closesAt: number | undefined;
};

export type DisclosureEvent =
  | { type: "pointer.entered" }
  | { type: "pointer.left"; at: number }
  | { type: "pressed" }
  | { type: "time.passed"; at: number }
  /** Escape, an item was chosen, or attention went elsewhere. */
  | { type: "dismissed" };

export const closed: Disclosure = { open: false, byPointing: false, closesAt: undefined };

/** What happens to a panel. Times are given, in milliseconds of any one clock. */
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
