import { type PointerEvent, type RefObject, useEffect, useReducer, useRef } from "react";

import { closed, type DisclosureEvent, disclosureAfter } from "./disclosure.ts";

type DisclosureParts<Container extends HTMLElement> = {
  open: boolean;
  /** For the element that contains button and panel. */
  container: RefObject<Container | null>;
  button: RefObject<HTMLButtonElement | null>;
  press: () => void;
  /** For the same element, where hover opens the panel. */
  pointing: {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: (event: PointerEvent) => void;
  };
};

const isMouse = (event: PointerEvent): boolean => event.pointerType === "mouse";

/** While the panel is open: Escape, a link in it, a press or focus elsewhere close it. */
function useDismissal(
  open: boolean,
  { container, button }: Pick<DisclosureParts<HTMLElement>, "container" | "button">,
  send: (event: DisclosureEvent) => void,
): void {
  useEffect(() => {
    const element = container.current;
    if (!open || element === null) return undefined;
    const ended = new AbortController();
    const dismiss = (): void => send({ type: "dismissed" });
    const whileOpen = { signal: ended.signal };
    const isOutside = (target: EventTarget | null): boolean =>
      target instanceof Node && !element.contains(target);
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      dismiss();
      const focused = document.activeElement;
      if (focused === document.body || element.contains(focused)) button.current?.focus();
    };
    document.addEventListener("keydown", onKey, whileOpen);
    const onPress = (event: Event): void => {
      if (isOutside(event.target)) dismiss();
    };
    document.addEventListener("pointerdown", onPress, whileOpen);
    document.addEventListener("focusin", onPress, whileOpen);
    const onClick = (event: Event): void => {
      if (event.target instanceof Element && event.target.closest("a") !== null) dismiss();
    };
    element.addEventListener("click", onClick, whileOpen);
    return () => ended.abort();
  }, [open, container, button, send]);
}

/** The disclosure pattern of the ARIA guide. */
export function useDisclosure<Container extends HTMLElement>(): DisclosureParts<Container> {
  const [state, send] = useReducer(disclosureAfter, closed);
  const container = useRef<Container>(null);
  const button = useRef<HTMLButtonElement>(null);

  const { open, closesAt } = state;
  useEffect(() => {
    if (closesAt === undefined) return undefined;
    const timer = setTimeout(
      () => send({ type: "time.passed", at: closesAt }),
      closesAt - performance.now(),
    );
    return () => clearTimeout(timer);
  }, [closesAt]);
  useDismissal(open, { container, button }, send);

  return {
    open,
    container,
    button,
    press: () => send({ type: "pressed" }),
    pointing: {
      onPointerEnter: (event) => isMouse(event) && send({ type: "pointer.entered" }),
      onPointerLeave: (event) =>
        isMouse(event) && send({ type: "pointer.left", at: performance.now() }),
    },
  };
}
