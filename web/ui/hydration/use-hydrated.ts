import { startTransition, useEffect, useState, useSyncExternalStore } from "react";

const never = (): (() => void) => () => undefined;

/** Remembers whether it was ever asked for the server's view. */
function serverView() {
  let asked = false;
  return {
    now: () => asked,
    // React asks for this only on the server and while it takes over what the server drew.
    onServer: () => {
      asked = true;
      return true;
    },
  };
}

/**
 * Whether the server drew this part of the page: true there and where the browser took its drawing
 * over, for good; false for what the browser drew itself.
 */
export function useDrawnByServer(): boolean {
  const [view] = useState(serverView);
  return useSyncExternalStore(never, view.now, view.onServer);
}

/**
 * False while prerendering and hydrating, true soon afterwards: what only a browser knows comes
 * then. Drawn as a transition, so that touches go first.
 */
export function useHydrated(): boolean {
  const drawnByServer = useDrawnByServer();
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => {
    startTransition(() => setHydrated(true));
  }, []);
  return hydrated || !drawnByServer;
}
