import { useSyncExternalStore } from "react";

const never = (): (() => void) => () => undefined;

/** False while prerendering and hydrating, true afterwards: what only a browser knows comes then. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
