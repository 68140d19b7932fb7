import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, useLocation, useMatches, useNavigation } from "react-router-dom";

import { readToken } from "../../api-client/token.ts";
import { ThemeSwitcher } from "../../features/theme/theme-switcher.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Brand } from "../shell/brand.tsx";
import { LanguageSwitcher } from "../shell/language-switcher.tsx";
import { NavigationProgress } from "../shell/navigation-progress.tsx";
import { useArrival } from "../use-arrival.ts";
import { signOut } from "./query-client.ts";
import { pageTextsOf } from "./route-texts.ts";

import "./layout.css";

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

function LayoutHeader() {
  const { t } = useTranslation(["shell", "account"]);
  // Every navigation renders this again, so that it follows sign-in.
  const signedIn = readToken() !== null;
  return (
    <header className="signed-in__header">
      <div className="page-width signed-in__row">
        <a className="signed-in__home" href="/" aria-label={t("brandHome")}>
          <Brand />
        </a>
        <div className="signed-in__tools">
          <ThemeSwitcher />
          <LanguageSwitcher />
          {signedIn && <Button onClick={signOut}>{t("account:layout.signOut")}</Button>}
        </div>
      </div>
    </header>
  );
}

function LayoutFooter() {
  const { t } = useTranslation("shell");
  return (
    <footer className="signed-in__footer" aria-label={t("footer.label")}>
      <ul className="page-width signed-in__links">
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
    </footer>
  );
}

/** The frame of the signed-in area. While the next page loads, the present one stays. */
export function Layout() {
  const { t } = useTranslation("shell");
  const { state } = useNavigation();
  useDocumentTitle();
  useArrival();
  return (
    <>
      <NavigationProgress pending={state !== "idle"} />
      <nav className="skip-links" aria-label={t("skip.label")}>
        <a className="skip-link" href="#main">
          {t("skip.main")}
        </a>
      </nav>
      <LayoutHeader />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <LayoutFooter />
    </>
  );
}
