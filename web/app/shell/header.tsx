import { useTranslation } from "react-i18next";

import { ThemeSwitcher } from "../../features/theme/theme-switcher.tsx";
import { buttonClass } from "../../ui/button/button.tsx";
import { useDisclosure } from "../../ui/disclosure/use-disclosure.ts";
import { Icon } from "../../ui/icon/icon.tsx";
import { usePageHost } from "../page-context.tsx";
import { Link, useLocation } from "../routing.ts";
import { Brand } from "./brand.tsx";
import { JoinLink } from "./join-link.tsx";
import { LanguageSwitcher } from "./language-switcher.tsx";
import { ResourcesMenu } from "./resources-menu.tsx";

import "./header.css";

function NavigationLink({ to, children }: { to: string; children: string }) {
  const { pathname } = useLocation();
  return (
    <li>
      <Link
        className="header__link"
        to={to}
        aria-current={pathname === to ? "page" : undefined}
        data-track={`nav${to}`}
      >
        {children}
      </Link>
    </li>
  );
}

/**
 * On small screens behind the menu button. The root's `data-account` decides which links to the
 * account are shown; the script in the head sets it before the first paint (account-mark.ts).
 */
function NavigationContent() {
  const { t } = useTranslation("shell");
  const { switchLanguage } = usePageHost();
  return (
    <>
      <ul className="header__links">
        <NavigationLink to="/about">{t("nav.about")}</NavigationLink>
        <ResourcesMenu />
        <NavigationLink to="/pricing">{t("nav.pricing")}</NavigationLink>
        <NavigationLink to="/contact">{t("nav.contact")}</NavigationLink>
      </ul>
      <div className="header__tools">
        <ThemeSwitcher />
        <LanguageSwitcher onSwitch={switchLanguage} />
      </div>
      <a className="header__link header__out" href="/login">
        {t("nav.signIn")}
      </a>
      <JoinLink className={`${buttonClass()} header__join header__out`} track="nav/signup" />
      <a className={`${buttonClass()} header__join header__in`} href="/dashboard">
        {t("nav.dashboard")}
      </a>
      <button type="button" className="header__link header__in">
        {t("nav.signOut")}
      </button>
    </>
  );
}

export function Header() {
  const { t } = useTranslation("shell");
  const { open, container, button, press } = useDisclosure<HTMLElement>();
  return (
    <header className="header">
      <div className="page-width header__row">
        <Link className="header__home" to="/" aria-label={t("brandHome")}>
          <Brand />
        </Link>
        <nav
          ref={container}
          id="navigation"
          className="header__navigation"
          aria-label={t("nav.label")}
          tabIndex={-1}
        >
          <button
            ref={button}
            type="button"
            className="header__menu"
            aria-expanded={open}
            aria-controls="header-menu"
            onClick={press}
          >
            <Icon name={open ? "close" : "menu"} />
            {t("nav.menu")}
          </button>
          <div id="header-menu" className="header__content" data-open={open}>
            <NavigationContent />
          </div>
        </nav>
      </div>
    </header>
  );
}
