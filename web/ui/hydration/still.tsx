import type { ReactNode } from "react";

import { useDrawnByServer } from "./use-hydrated.ts";

type StillProps = {
  className?: string;
  /** Components in it are not called where the server's drawing is already on the page. */
  children: ReactNode;
};

/**
 * Content that answers to nothing: no state, no handlers. What the server drew is kept as it stands,
 * so that a phone need not do all of that work again before it answers touches. Give it a `key` for
 * all that the content depends on, the language first: under another key it is drawn anew.
 */
export function Still({ className, children }: StillProps) {
  const kept = useDrawnByServer() && !import.meta.env.SSR;
  if (!kept) return <div className={className}>{children}</div>;
  // React leaves the content of such an element alone while it hydrates, and afterwards, since the
  // value never changes.
  return (
    <div
      className={className}
      suppressHydrationWarning
      // oxlint-disable-next-line react/no-danger -- nothing is set: the empty text never reaches the page
      dangerouslySetInnerHTML={nothing}
    />
  );
}

const nothing = { __html: "" };
