import { useEffect } from "react";

import { useLanguage } from "../i18n/use-language.ts";
import { prefetchLinks, siteLinkAt } from "./link-prefetch.ts";
import { usePageHost } from "./page-context.tsx";
import { hasPage } from "./routes.ts";
import { useNavigate } from "./routing.ts";

/** Skip links lead to the parts of the shell. The browser follows them, and moves the focus. */
const isSkipLink = (link: HTMLAnchorElement): boolean =>
  link.pathname === location.pathname && link.hash !== "" && link.closest("main") === null;

function isPlainClick(event: MouseEvent): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return !event.defaultPrevented && event.button === 0 && !modified;
}

/**
 * Follows links to public pages without loading a document, and prefetches those pages. One listener
 * for all links, because prerendered content has no handlers of its own. Other links, for example to
 * the signed-in area, load a document.
 */
export function usePageLinks(): void {
  const navigate = useNavigate();
  const language = useLanguage();
  const { loader } = usePageHost();
  useEffect(
    () =>
      prefetchLinks((pathname) => {
        if (hasPage(pathname)) loader.prefetch(pathname, language);
      }),
    [loader, language],
  );
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const link = isPlainClick(event) ? siteLinkAt(event) : undefined;
      if (link === undefined || !hasPage(link.pathname) || isSkipLink(link)) return;
      event.preventDefault();
      const address = link.pathname + link.search + link.hash;
      void navigate(address, { replace: link.href === location.href });
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [navigate]);
}
