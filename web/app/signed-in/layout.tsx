import type { Account } from "@pro-talent/schemas/accounts/calls";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { matchPath, Outlet, useLocation, useMatches, useNavigation } from "react-router-dom";

import { readToken } from "../../api-client/token.ts";
import { useKnownAccount } from "../../features/account-query.ts";
import { nextPath } from "../../features/account/entry/next-path.ts";
import { ThemeSwitcher } from "../../features/theme/theme-switcher.tsx";
import { toaster } from "../../features/toaster.ts";
import { Toasts } from "../../ui/toast/toasts.tsx";
import { savesData } from "../link-prefetch.ts";
import { LanguageSwitcher } from "../shell/language-switcher.tsx";
import { NavigationProgress } from "../shell/navigation-progress.tsx";
import { useArrival } from "../use-arrival.ts";
import { Frame } from "./frame.tsx";
import { accessOf } from "./guard.ts";
import type { NavigationEntry } from "./navigation.ts";
import { pageTextsOf } from "./route-texts.ts";
import { AccountEnd, AccountMenu, Commands, RefusedCalls } from "./shell-parts.tsx";

import "./layout.css";

const loadBanner = async () =>
  (await import("../../features/account/privacy/deletion-banner.tsx")).DeletionBanner;
/** Without its code, for example while there is no connection, the page is shown without it. */
const DeletionBanner = lazy(async () => ({ default: await loadBanner().catch(() => () => null) }));

const loadChanges = async () =>
  (await import("../../features/account/legal-changes/legal-change-banner.tsx")).LegalChangeBanner;
const LegalChangeBanner = lazy(async () => ({
  default: await loadChanges().catch(() => () => null),
}));

/** A page without a title of its own, for example a failure, has the title of its heading. */
function useDocumentTitle(): void {
  const { t, i18n: translator } = useTranslation("shell");
  const handle = useMatches().at(-1)?.handle;
  const { key } = useLocation();
  useEffect(() => {
    const heading = document.querySelector("main h1")?.textContent ?? "";
    const title = pageTextsOf(handle)?.title(translator) ?? heading;
    document.title = title === "" ? t("brand") : t("titleWithBrand", { title });
  }, [handle, key, t, translator]);
}

/** Until the account is loaded, what every account may open. */
function mayOpen(account: Account | undefined, path: string): boolean {
  const { roles } = accessOf(path);
  return roles.some((role) => role === "holder" || account?.roles.includes(role));
}

function LegalLinks() {
  const { t } = useTranslation("shell");
  return (
    <ul className="area-links" aria-label={t("footer.label")}>
      <li>
        <a href="/contact">{t("footer.contact")}</a>
      </li>
      <li>
        <a href="/privacy">{t("footer.privacy")}</a>
      </li>
      <li>
        <a href="/terms">{t("footer.terms")}</a>
      </li>
      <li>
        <a href="/accessibility">{t("footer.accessibility")}</a>
      </li>
    </ul>
  );
}

type LayoutProps = {
  navigation: readonly NavigationEntry[];
  /** Loads pages with their data. */
  prefetch: (paths: readonly string[]) => void;
  /** Loads the code and the texts of a page. */
  prepare: (path: string) => void;
};

/** Once it is known what the account may open, these pages are loaded before they are asked for. */
function usePrefetch(
  account: Account | undefined,
  paths: string,
  prefetch: LayoutProps["prefetch"],
): void {
  const { accountId } = account ?? {};
  useEffect(() => {
    if (accountId !== undefined && !savesData()) prefetch(paths.split(" "));
  }, [accountId, paths, prefetch]);
}

/** The page that a sign-in leads to is loaded while a password is typed. */
function useNextPage(prepare: LayoutProps["prepare"]): void {
  const { pathname, search } = useLocation();
  const next = pathname === "/login" ? new URLSearchParams(search).get("next") : null;
  useEffect(() => {
    if (next !== null && !savesData()) prepare(nextPath(next));
  }, [next, prepare]);
}

/**
 * The frame of the signed-in area, with the navigation that the account's roles allow. While the next
 * page loads, the present one stays.
 */
export function Layout({ navigation, prefetch, prepare }: LayoutProps) {
  const { t, i18n: translator } = useTranslation("account");
  const { state } = useNavigation();
  const { pathname } = useLocation();
  useDocumentTitle();
  useArrival();
  // Every navigation renders this again, so that it follows sign-in.
  const signedIn = readToken() !== null;
  const account = useKnownAccount(signedIn);
  // A page may lie under the address of another one.
  const current = navigation
    .map(({ path }) => path)
    .filter((path) => matchPath({ path, end: false }, pathname) !== null)
    .toSorted((a, b) => b.length - a.length)[0];
  const pages = navigation
    .filter(({ path }) => mayOpen(account, path))
    .map(({ path, icon, label, keywords }) => ({
      href: path,
      icon,
      label: label(translator),
      keywords,
      current: path === current,
    }));
  usePrefetch(account, pages.map(({ href }) => href).join(" "), prefetch);
  useNextPage(prepare);
  const settings = (
    <>
      <ThemeSwitcher />
      <LanguageSwitcher />
    </>
  );
  return (
    <>
      <NavigationProgress pending={state !== "idle"} />
      <Frame
        items={signedIn ? pages : []}
        search={signedIn ? <Commands pages={pages} /> : undefined}
        settings={settings}
        account={
          signedIn
            ? {
                bar: account && <AccountMenu account={account} />,
                drawer: <AccountEnd account={account} />,
              }
            : undefined
        }
        footer={<LegalLinks />}
      >
        {signedIn && (
          <Suspense>
            <DeletionBanner />
            <LegalChangeBanner />
          </Suspense>
        )}
        <Outlet />
      </Frame>
      <RefusedCalls account={account} />
      <Toasts toaster={toaster} closeLabel={t("layout.closeMessage")} />
    </>
  );
}
