import { useEffect } from "react";

import { useNavigate } from "./routing.ts";

/** The same-site link that a plain click on `event` follows. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  const { target } = event;
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || modified) return undefined;
  const link = target instanceof Element ? target.closest(".static a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return undefined;
  // The browser handles anchors on the same page.
  return link.pathname === location.pathname && link.hash !== "" ? undefined : link;
}

/** Router navigation for links in static content, which have no handlers of their own. */
export function useStaticLinks(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const link = linkOf(event);
      if (link === undefined) return;
      event.preventDefault();
      void navigate(link.pathname + link.search + link.hash);
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [navigate]);
}
