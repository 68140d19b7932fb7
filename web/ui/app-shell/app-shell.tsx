import { type ComponentType, type ReactNode, useState } from "react";

import { Dialog } from "../dialog/dialog.tsx";
import { AppIcon, type AppIconName } from "../icon/app-icon.tsx";

import "./app-shell.css";

export type NavigationItem = { href: string; label: string; icon: AppIconName; current: boolean };

/** The props of a router's link, as far as the shell uses them. */
export type ShellLinkProps = {
  href: string;
  className: string;
  "aria-current": "page" | undefined;
  onClick?: () => void;
  children: ReactNode;
};

type AppShellProps = {
  texts: { skip: string; navigation: string; more: string; close: string };
  brand: ReactNode;
  items: readonly NavigationItem[];
  Link: ComponentType<ShellLinkProps>;
  /** The end of the top bar: command menu and account menu. */
  tools: ReactNode;
  /** The page: a {@link PageHeader} and its content. */
  children: ReactNode;
};

/** The bottom bar of a phone has space for five; with more items the fifth opens the others. */
const barItemsMax = 5;

function NavigationLinks({
  items,
  Link,
  onFollow,
}: Pick<AppShellProps, "items" | "Link"> & { onFollow?: () => void }) {
  const direct = items.length > barItemsMax ? barItemsMax - 1 : barItemsMax;
  return items.map(({ href, label, icon, current }, index) => (
    <li key={href} data-overflow={index >= direct}>
      <Link
        href={href}
        className="app-shell__link"
        aria-current={current ? "page" : undefined}
        {...(onFollow === undefined ? {} : { onClick: onFollow })}
      >
        <AppIcon name={icon} />
        <span>{label}</span>
      </Link>
    </li>
  ));
}

/**
 * The frame of the signed-in area: navigation at the side, or on phones at the bottom, a top bar,
 * and the page in `<main>`.
 */
export function AppShell({ texts, brand, items, Link, tools, children }: AppShellProps) {
  const [drawer, setDrawer] = useState(false);
  const close = (): void => setDrawer(false);
  return (
    <div className="app-shell">
      <a className="skip-link" href="#main">
        {texts.skip}
      </a>
      <header className="app-shell__top">
        <div className="app-shell__brand">{brand}</div>
        <div className="app-shell__tools">{tools}</div>
      </header>
      <nav className="app-shell__navigation" aria-label={texts.navigation}>
        <ul className="app-shell__items">
          <NavigationLinks items={items} Link={Link} />
          {items.length > barItemsMax && (
            <li className="app-shell__more">
              <button
                type="button"
                className="app-shell__link"
                aria-haspopup="dialog"
                onClick={() => setDrawer(true)}
              >
                <AppIcon name="menu" />
                <span>{texts.more}</span>
              </button>
            </li>
          )}
        </ul>
      </nav>
      <main className="app-shell__main" id="main" tabIndex={-1}>
        {children}
      </main>
      {drawer && (
        <Dialog
          variant="panel"
          title={texts.navigation}
          closeLabel={texts.close}
          onClose={close}
          onBackdrop={close}
        >
          <ul className="app-shell__drawer">
            <NavigationLinks items={items} Link={Link} onFollow={close} />
          </ul>
        </Dialog>
      )}
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
