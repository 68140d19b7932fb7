import { type ReactNode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";

/**
 * Hydrates the prerendered page, or renders an empty one. In a chunk of its own, so that the
 * renderer's code runs in a task of its own.
 */
export function mount(root: HTMLElement, application: ReactNode): void {
  // A transition runs in short slices, so the page stays responsive.
  startTransition(() => {
    if (root.hasChildNodes()) hydrateRoot(root, application);
    else createRoot(root).render(application);
  });
}
