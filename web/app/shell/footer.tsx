import { useTranslation } from "react-i18next";

import { openSettingsEvent } from "../../features/consent/consent-actor.ts";
import { usePageHost } from "../page-context.tsx";
import { Link } from "../routing.ts";
import { Brand } from "./brand.tsx";

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

/** Every page ends with it; consent can be changed here from anywhere. */
export function Footer() {
  const { t } = useTranslation("shell");
  const { year } = usePageHost();
  return (
    <footer id="footer" className="footer" tabIndex={-1} aria-label={t("footer.label")}>
      <div className="page-width footer__grid">
        <div className="footer__brand">
          <Brand />
          <p>{t("footer.tagline")}</p>
        </div>
        <LinkGroup
          title={t("footer.company")}
          links={[
            { to: "/", name: t("footer.home") },
            { to: "/about", name: t("footer.about") },
          ]}
        />
        <LinkGroup
          title={t("footer.legal")}
          links={[
            { to: "/privacy", name: t("footer.privacy") },
            { to: "/cookie-policy", name: t("footer.cookies") },
          ]}
        />
        <div className="footer__base">
          <p>{t("footer.copyright", { year })}</p>
          <button
            type="button"
            className="footer__settings"
            onClick={() => window.dispatchEvent(new Event(openSettingsEvent))}
          >
            {t("footer.cookieSettings")}
          </button>
        </div>
      </div>
    </footer>
  );
}
