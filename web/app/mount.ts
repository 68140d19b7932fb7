import { type ReactNode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";

/**
 * Puts the application on the page: takes over what the server drew, or draws where it drew nothing.
 * In a chunk of its own, so that the renderer's code is run in a task of its own.
 */
export function mount(root: HTMLElement, application: ReactNode): void {
  // As a transition it is done in short slices: the page stays open to touch meanwhile.
  startTransition(() => {
    if (root.hasChildNodes()) hydrateRoot(root, application);
    else createRoot(root).render(application);
  });
}
