import { useTranslation } from "react-i18next";

import { useDisclosure } from "../../ui/disclosure/use-disclosure.ts";
import { Icon } from "../../ui/icon/icon.tsx";
import { Link, useLocation } from "../routing.ts";
import { resourcePages } from "./resources.ts";

import "./resources-menu.css";

/**
 * The resource pages behind one button, opened by hover or press. Without scripts styles open the
 * list on hover and focus.
 */
export function ResourcesMenu() {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  const { open, container, button, press, pointing } = useDisclosure<HTMLLIElement>();
  const pages = resourcePages(t);
  return (
    <li className="resources-menu" ref={container} {...pointing}>
      <button
        ref={button}
        type="button"
        className="resources-menu__button"
        aria-expanded={open}
        aria-controls="header-resources"
        data-current={pages.some(({ to }) => to === pathname)}
        data-track="nav-resources"
        onClick={press}
      >
        <span>{t("nav.resources")}</span>
        <Icon name="expand" />
      </button>
      <p className="resources-menu__title">{t("nav.resources")}</p>
      <div id="header-resources" className="resources-menu__panel" data-open={open}>
        <ul className="resources-menu__sheet">
          {pages.map(({ to, name, line }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={pathname === to ? "page" : undefined}
                data-track={`nav${to}`}
              >
                <span className="resources-menu__name">{name}</span>
                <span className="resources-menu__line">{line}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}
