import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import type { ConsentActor } from "./consent-actor.ts";
import type { PolicyLink } from "./policy-link.ts";

import "./consent-banner.css";

/** Keeps what has focus visible above the banner. */
function useBannerSize() {
  const banner = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = banner.current;
    if (element === null) return undefined;
    const root = document.documentElement;
    // Not a custom property: on the root it makes the browser style every element again.
    const observer = new ResizeObserver(() => {
      root.style.scrollPaddingBlockEnd = `calc(${element.offsetHeight}px + var(--space-5))`;
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty("scroll-padding-block-end");
      // Focus returns to the page when the pressed button disappears.
      if (element.contains(document.activeElement)) {
        document.getElementById("main")?.focus({ preventScroll: true });
      }
    };
  }, []);
  return banner;
}

/** Loads the machine when a pointer or the keyboard reaches the banner. */
function useIntent(banner: RefObject<HTMLElement | null>, actor: ConsentActor): void {
  useEffect(() => {
    const element = banner.current;
    const prepare = (): void => actor.prepare();
    element?.addEventListener("pointerenter", prepare);
    element?.addEventListener("focusin", prepare);
    return () => {
      element?.removeEventListener("pointerenter", prepare);
      element?.removeEventListener("focusin", prepare);
    };
  }, [banner, actor]);
}

/**
 * A region of the page, not a dialog. Accepting and rejecting are the same element in the same size
 * and style.
 */
export function ConsentBanner({
  actor,
  PolicyLink,
}: {
  actor: ConsentActor;
  PolicyLink: PolicyLink;
}) {
  const { t } = useTranslation("consent");
  const banner = useBannerSize();
  const titleId = useId();
  useIntent(banner, actor);
  return (
    <section className="consent-banner" ref={banner} aria-labelledby={titleId}>
      <div className="consent-banner__text">
        <h2 className="consent-banner__title" id={titleId}>
          {t("banner.title")}
        </h2>
        <p className="consent-banner__body">{t("banner.body")}</p>
      </div>
      <div className="consent-banner__choices">
        <Button onClick={() => actor.send({ type: "reject.all" })}>{t("rejectAll")}</Button>
        <Button onClick={() => actor.send({ type: "accept.all" })}>{t("acceptAll")}</Button>
      </div>
      <div className="consent-banner__more">
        <Button look="text" onClick={() => actor.send({ type: "customise" })}>
          {t("banner.customise")}
        </Button>
        <PolicyLink>{t("banner.policy")}</PolicyLink>
      </div>
    </section>
  );
}
