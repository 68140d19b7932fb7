import "../../i18n/signed-in-texts.ts";
import type { ComponentProps, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { AppShell, type ShellLinkProps } from "../../ui/app-shell/app-shell.tsx";
import { Brand } from "../shell/brand.tsx";

type FrameProps = Pick<
  ComponentProps<typeof AppShell>,
  "items" | "search" | "settings" | "account" | "footer"
> & {
  children: ReactNode;
};

const RouterLink = ({ href, ...rest }: ShellLinkProps) => <Link to={href} {...rest} />;

/** The shell with the texts of the area. Prerendered without items, it is what the document shows first. */
export function Frame(props: FrameProps) {
  const { t } = useTranslation(["shell", "account"]);
  return (
    <AppShell
      texts={{
        skip: t("skip.main"),
        navigation: t("account:layout.navigation"),
        menu: t("nav.menu"),
        close: t("account:layout.closeMenu"),
      }}
      brand={
        <a href="/" aria-label={t("brandHome")}>
          <Brand />
        </a>
      }
      Link={RouterLink}
      {...props}
    />
  );
}
