import { type SyntheticEvent, useEffect } from "react";

import { type LatePlan, useLateMachine } from "../../late-machine.ts";
import {
  type ConfirmEvent,
  type ConfirmView,
  firstConfirmView,
  foreseeConfirm,
} from "./confirm-view.ts";

const plan: LatePlan<ConfirmView, ConfirmEvent> = {
  initial: firstConfirmView,
  foresee: foreseeConfirm,
  urges: () => true,
  unreachable: (view) => ({ ...view, place: "network" }),
  open: async () => (await import("./confirm.controller.ts")).startConfirmMachine(),
};

/** Connects the page to its late machine. Nothing is sent before the button is pressed. */
export function useConfirmation(token: string | undefined, onConfirmed: (email: string) => void) {
  const { view, send, wake } = useLateMachine(plan);
  const { place, email } = view;
  useEffect(() => {
    if (place === "confirmed") onConfirmed(email);
  }, [place, email, onConfirmed]);
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (place === "expired") send({ type: "resend" });
    else if (token !== undefined) send({ type: "confirm", token });
  };
  return { view, events: { onSubmit, onFocus: wake, onPointerEnter: wake } };
}
