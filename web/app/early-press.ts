/** Raised on the document once the application listens to the page. */
export const startedEvent = "application-started";

/**
 * A button that is pressed before the application has started is pressed again for the visitor once
 * it has. Links and forms need no such help: they work as plain HTML.
 */
export function keepEarlyPress(): void {
  let pressed: Element | undefined;
  const keep = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest('button[type="button"]') : null;
    if (button !== null) pressed = button;
  };
  document.addEventListener("click", keep, { capture: true });
  document.addEventListener(
    startedEvent,
    () => {
      document.removeEventListener("click", keep, { capture: true });
      const button = pressed;
      // Not within the event: React is at work then and would not hear it.
      if (button instanceof HTMLElement) setTimeout(() => button.click());
    },
    { once: true },
  );
}
