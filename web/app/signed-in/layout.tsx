import type { i18n } from "i18next";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { matchPath, Outlet, useLocation, useMatches, useNavigation } from "react-router-dom";

import { readToken } from "../../api-client/token.ts";
import { ThemeSwitcher } from "../../features/theme/theme-switcher.tsx";
import type { NavigationItem } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { LanguageSwitcher } from "../shell/language-switcher.tsx";
import { NavigationProgress } from "../shell/navigation-progress.tsx";
import { useArrival } from "../use-arrival.ts";
import { Frame } from "./frame.tsx";
import { signOut } from "./query-client.ts";
import { pageTextsOf } from "./route-texts.ts";

import "./layout.css";

/** A place in the navigation. Its pages are all addresses that begin with its path. */
export type NavigationEntry = Pick<NavigationItem, "icon"> & {
  path: string;
  /** From the namespaces of the layout: `shell` and `account`. */
  label: (translator: i18n) => string;
};

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

function Settings({ signedIn }: { signedIn: boolean }) {
  const { t } = useTranslation("account");
  return (
    <>
      <ThemeSwitcher />
      <LanguageSwitcher />
      {signedIn && <Button onClick={signOut}>{t("layout.signOut")}</Button>}
    </>
  );
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

/**
 * The frame of the signed-in area, with its navigation for account holders. While the next page
 * loads, the present one stays.
 */
export function Layout({ navigation }: { navigation: readonly NavigationEntry[] }) {
  const { i18n: translator } = useTranslation();
  const { state } = useNavigation();
  const { pathname } = useLocation();
  useDocumentTitle();
  useArrival();
  // Every navigation renders this again, so that it follows sign-in.
  const signedIn = readToken() !== null;
  const items = navigation.map(({ path, icon, label }) => ({
    href: path,
    icon,
    label: label(translator),
    current: matchPath({ path, end: false }, pathname) !== null,
  }));
  return (
    <>
      <NavigationProgress pending={state !== "idle"} />
      <Frame
        items={signedIn ? items : []}
        settings={<Settings signedIn={signedIn} />}
        footer={<LegalLinks />}
      >
        <Outlet />
      </Frame>
    </>
  );
}
