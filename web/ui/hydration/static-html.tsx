import type { ReactNode } from "react";

import { useServerRendered } from "./use-hydrated.ts";

type StaticHtmlProps = {
  className?: string | undefined;
  /** Not rendered in the browser if the server has rendered it. */
  children: ReactNode;
};

/**
 * Content without state and handlers. The browser keeps the prerendered HTML, so that a phone need
 * not render it again. Its `key` must contain all that the content depends on, at least the
 * language.
 */
export function StaticHtml({ className, children }: StaticHtmlProps) {
  const kept = useServerRendered() && !import.meta.env.SSR;
  if (!kept) return <div className={className}>{children}</div>;
  // React does not touch this content while hydrating, nor later, because the value never changes.
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
