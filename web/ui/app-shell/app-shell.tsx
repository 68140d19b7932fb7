import { type ComponentType, type ReactNode, useState } from "react";

import { Dialog } from "../dialog/dialog.tsx";
import { AppIcon, type AppIconName } from "../icon/app-icon.tsx";

import "./app-shell.css";
import "./page-header.css";

export type NavigationItem = { href: string; label: string; icon: AppIconName; current: boolean };

/** The props of a router's link, as far as the shell uses them. */
export type ShellLinkProps = {
  href: string;
  className: string;
  "aria-current": "page" | undefined;
  onClick: (() => void) | undefined;
  children: ReactNode;
};

type AppShellProps = {
  texts: { skip: string; navigation: string; menu: string; close: string };
  brand: ReactNode;
  /** Without items there is no navigation. */
  items: readonly NavigationItem[];
  Link: ComponentType<ShellLinkProps>;
  /** Finds pages and actions: in the top bar at every width. */
  search?: ReactNode;
  /** Theme and language: at the end of the top bar, on phones in the menu. */
  settings?: ReactNode;
  /** Who is signed in: in the top bar a menu, on phones at the end of the menu. */
  account?: { bar: ReactNode; drawer: ReactNode } | undefined;
  footer?: ReactNode;
  /** The page: a {@link PageHeader} and its content. */
  children: ReactNode;
};

type LinksProps = Pick<AppShellProps, "items" | "Link"> & { onFollow?: () => void };

function NavigationLinks({ items, Link, onFollow }: LinksProps) {
  return items.map(({ href, label, icon, current }) => (
    <li key={href}>
      <Link
        href={href}
        className="app-shell__link"
        aria-current={current ? "page" : undefined}
        onClick={onFollow}
      >
        <AppIcon name={icon} />
        <span>{label}</span>
      </Link>
    </li>
  ));
}

/** On phones: everything that the bottom bar and the top bar have no space for. */
function PhoneMenu(props: Omit<AppShellProps, "brand" | "children">) {
  const { texts, items, Link, settings, account } = props;
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button
        type="button"
        className="app-shell__menu"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <AppIcon name="menu" />
        {texts.menu}
      </button>
      {open && (
        <Dialog variant="panel" title={texts.menu} closeLabel={texts.close} onClose={close}>
          {items.length > 0 && (
            <nav aria-label={texts.navigation}>
              <ul className="app-shell__drawer">
                <NavigationLinks items={items} Link={Link} onFollow={close} />
              </ul>
            </nav>
          )}
          <div className="app-shell__settings">{settings}</div>
          {account?.drawer}
        </Dialog>
      )}
    </>
  );
}

/**
 * The frame of the signed-in area: navigation at the side, or on phones at the bottom, a top bar,
 * and the page in `<main>`.
 */
export function AppShell(props: AppShellProps) {
  const { texts, brand, items, Link, search, settings, account, footer, children } = props;
  return (
    <div className={items.length === 0 ? "app-shell app-shell--plain" : "app-shell"}>
      <a className="skip-link" href="#main">
        {texts.skip}
      </a>
      <header className="app-shell__top">
        <div className="app-shell__brand">{brand}</div>
        {search !== undefined && <div className="app-shell__search">{search}</div>}
        {settings !== undefined && (
          <>
            <div className="app-shell__settings">
              {settings}
              {account?.bar}
            </div>
            <PhoneMenu
              texts={texts}
              items={items}
              Link={Link}
              settings={settings}
              account={account}
            />
          </>
        )}
      </header>
      {items.length > 0 && (
        <nav className="app-shell__navigation" aria-label={texts.navigation}>
          <ul className="app-shell__items">
            <NavigationLinks items={items} Link={Link} />
          </ul>
        </nav>
      )}
      <main className="app-shell__main" id="main" tabIndex={-1}>
        {children}
      </main>
      {footer !== undefined && <footer className="app-shell__footer">{footer}</footer>}
    </div>
  );
}

type PageHeaderProps = {
  breadcrumb?: ReactNode;
  title: ReactNode;
  /** What this page answers, in one sentence. */
  lead?: ReactNode;
  actions?: ReactNode;
};

/** The beginning of each page in the shell. Its heading receives focus on arrival. */
export function PageHeader({ breadcrumb, title, lead, actions }: PageHeaderProps) {
  return (
    <div className="page-header">
      {breadcrumb !== undefined && <div className="page-header__breadcrumb">{breadcrumb}</div>}
      <h1 className="page-header__title" tabIndex={-1}>
        {title}
      </h1>
      {lead !== undefined && <p className="page-header__lead">{lead}</p>}
      {actions !== undefined && <div className="page-header__actions">{actions}</div>}
    </div>
  );
}
