/** Dispatched on the document once the application handles events. */
export const startedEvent = "application-started";

/**
 * Repeats the click on a button that came before the application started. Links and forms work as
 * plain HTML meanwhile.
 */
export function keepEarlyClick(): void {
  let clicked: Element | undefined;
  const keep = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest('button[type="button"]') : null;
    if (button !== null) clicked = button;
  };
  document.addEventListener("click", keep, { capture: true });
  document.addEventListener(
    startedEvent,
    () => {
      document.removeEventListener("click", keep, { capture: true });
      const button = clicked;
      // In a new task: React ignores a click during the event.
      if (button instanceof HTMLElement) setTimeout(() => button.click());
    },
    { once: true },
  );
}
