import { useTranslation } from "react-i18next";

import "./navigation-progress.css";

/** A bar at the top while the next page loads. Styles show it after 200 ms. */
export function NavigationProgress({ pending }: { pending: boolean }) {
  const { t } = useTranslation("shell");
  if (!pending) return null;
  return (
    <div className="navigation-progress">
      <progress className="visually-hidden" aria-label={t("loading")} />
    </div>
  );
}
