import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { ThemeSwitcher } from "../../features/theme/theme-switcher.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { Link, useLocation } from "../routing.ts";
import { Brand } from "./brand.tsx";
import { LanguageSwitcher } from "./language-switcher.tsx";

import "./header.css";

/** On small screens the navigation is a disclosure: it closes on Escape and on arriving somewhere. */
function useMenu() {
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const [shownOn, setShownOn] = useState(pathname);
  const button = useRef<HTMLButtonElement>(null);

  if (shownOn !== pathname) {
    setShownOn(pathname);
    setOpen(false);
  }

  useEffect(() => {
    if (!open) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [open]);

  return { open, button, toggle: () => setOpen(!open) };
}

function NavigationLinks() {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  const links = [
    { to: "/about", name: t("nav.about") },
    { to: "/privacy", name: t("nav.privacy") },
  ];
  return (
    <ul className="header__links">
      {links.map(({ to, name }) => (
        <li key={to}>
          <Link to={to} aria-current={pathname === to ? "page" : undefined} data-track={`nav${to}`}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function Header() {
  const { t } = useTranslation("shell");
  const { open, button, toggle } = useMenu();
  return (
    <header className="header">
      <div className="page-width header__row">
        <Link className="header__home" to="/" aria-label={t("brandHome")}>
          <Brand />
        </Link>
        <button
          ref={button}
          type="button"
          className="header__menu"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={toggle}
        >
          <Icon name={open ? "close" : "menu"} />
          {t("nav.menu")}
        </button>
        <nav
          id="navigation"
          className="header__navigation"
          data-open={open}
          aria-label={t("nav.label")}
          tabIndex={-1}
        >
          <NavigationLinks />
          <div className="header__tools">
            <ThemeSwitcher />
            <LanguageSwitcher />
          </div>
        </nav>
      </div>
    </header>
  );
}
