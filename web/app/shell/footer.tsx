import { useTranslation } from "react-i18next";

import { openSettingsEvent } from "../../features/consent/consent-store.ts";
import { NewsletterForm } from "../../features/newsletter/newsletter-form.tsx";
import { usePageHost } from "../page-context.tsx";
import { Link, useLocation } from "../routing.ts";
import { Brand } from "./brand.tsx";
import { resourcePages } from "./resources.ts";

import "./footer.css";

type FooterLink = { to: string; name: string };

function LinkGroup({ title, links }: { title: string; links: readonly FooterLink[] }) {
  return (
    <div>
      <h2 className="footer__title">{title}</h2>
      <ul className="footer__links">
        {links.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} data-track={`footer${to}`}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function SiteLinks() {
  const { t } = useTranslation("shell");
  const company = [
    { to: "/", name: t("footer.home") },
    { to: "/about", name: t("footer.about") },
    { to: "/pricing", name: t("footer.pricing") },
    { to: "/signup", name: t("footer.waitlist") },
    { to: "/contact", name: t("footer.contact") },
  ];
  const legal = [
    { to: "/terms", name: t("footer.terms") },
    { to: "/privacy", name: t("footer.privacy") },
    { to: "/accessibility", name: t("footer.accessibility") },
    { to: "/cookie-policy", name: t("footer.cookies") },
    { to: "/do-not-sell", name: t("footer.doNotSell") },
  ];
  return (
    <div className="footer__groups">
      <LinkGroup title={t("footer.company")} links={company} />
      <LinkGroup title={t("footer.resources")} links={resourcePages(t)} />
      <LinkGroup title={t("footer.legal")} links={legal} />
    </div>
  );
}

/**
 * Consent can be changed here on every page. The home page has its newsletter form in a section of
 * its own.
 */
export function Footer() {
  const { t } = useTranslation("shell");
  const { year } = usePageHost();
  const { pathname } = useLocation();
  return (
    <footer id="footer" className="footer" tabIndex={-1} aria-label={t("footer.label")}>
      <div className="page-width footer__grid">
        <div className="footer__brand">
          <Brand />
          <p>{t("footer.tagline")}</p>
          {pathname !== "/" && (
            <>
              <h2 className="footer__title footer__newsletter">{t("footer.newsletter")}</h2>
              <NewsletterForm sourceContext="footer_form" idPrefix="footer" />
            </>
          )}
        </div>
        <SiteLinks />
        <div className="footer__base">
          <p>{t("footer.copyright", { year })}</p>
          <button
            type="button"
            className="footer__settings"
            data-track="footer-cookie-settings"
            data-track-category="consent"
            onClick={() => window.dispatchEvent(new Event(openSettingsEvent))}
          >
            {t("footer.cookieSettings")}
          </button>
        </div>
      </div>
    </footer>
  );
}
