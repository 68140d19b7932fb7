import { startTransition, useEffect, useState, useSyncExternalStore } from "react";

const never = (): (() => void) => () => undefined;

/** Records whether React has asked for the server's view. */
function serverView() {
  let asked = false;
  return {
    now: () => asked,
    // React calls this only on the server and while hydrating.
    onServer: () => {
      asked = true;
      return true;
    },
  };
}

/** True on the server and in what was hydrated; false for what the browser rendered itself. */
export function useServerRendered(): boolean {
  const [view] = useState(serverView);
  return useSyncExternalStore(never, view.now, view.onServer);
}

/**
 * False while prerendering and hydrating, then true, for what only a browser knows. Updated in a
 * transition, so that input goes first.
 */
export function useHydrated(): boolean {
  const serverRendered = useServerRendered();
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => {
    startTransition(() => setHydrated(true));
  }, []);
  return hydrated || !serverRendered;
}
