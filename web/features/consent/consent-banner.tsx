import { type ComponentType, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import type { ConsentStore } from "./consent-store.ts";
import type { BannerAnswer } from "./early-banner.ts";

import "./consent-banner.css";

/** The link to the cookie policy; supplied by the application, which has the routes. */
export type PolicyLink = ComponentType<{ children: string }>;

/** Keeps what has focus visible above the banner. */
function useBannerSize() {
  const banner = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = banner.current;
    if (element === null) return undefined;
    const { style } = document.documentElement;
    // Not a custom property: on the root it makes the browser style every element again.
    const observer = new ResizeObserver(() => {
      const { offsetHeight } = element;
      style.scrollPaddingBlockEnd =
        offsetHeight === 0 ? "" : `calc(${offsetHeight}px + var(--space-5))`;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return banner;
}

const titleId = "consent-title";

function Answer({ answer, text }: { answer: BannerAnswer; text: string }) {
  return <Button data-consent-answer={answer}>{text}</Button>;
}

/**
 * A region of the page, not a dialog. It is part of every prerendered page, and early-banner.ts
 * shows it and takes its answers. Accepting and rejecting are the same element in the same size and
 * style.
 */
export function ConsentBanner(props: { consent: ConsentStore; PolicyLink: PolicyLink }) {
  const { consent, PolicyLink } = props;
  const { t } = useTranslation("consent");
  const banner = useBannerSize();
  return (
    <section className="consent-banner" ref={banner} aria-labelledby={titleId} data-nosnippet="">
      <div className="consent-banner__text">
        <h2 className="consent-banner__title" id={titleId}>
          {t("banner.title")}
        </h2>{" "}
        <p className="consent-banner__body">{t("banner.body")}</p>{" "}
        <PolicyLink>{t("banner.policy")}</PolicyLink>
      </div>
      <div className="consent-banner__choices">
        <Answer answer="reject.all" text={t("rejectAll")} />
        <Answer answer="accept.all" text={t("acceptAll")} />
        <Button variant="text" onClick={() => void consent.send({ type: "settings.requested" })}>
          {t("banner.customise")}
        </Button>
      </div>
    </section>
  );
}
