import { useTranslation } from "react-i18next";

import { Breadcrumb } from "../../ui/breadcrumb/breadcrumb.tsx";
import { Link } from "../routing.ts";

/** The breadcrumb of a page directly below the home page. */
export function PageBreadcrumb({ current }: { current: string }) {
  const { t } = useTranslation("shell");
  return (
    <Breadcrumb
      label={t("breadcrumb.label")}
      above={[{ id: "home", link: <Link to="/">{t("breadcrumb.home")}</Link> }]}
      current={current}
    />
  );
}
