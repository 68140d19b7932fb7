import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isRouteErrorResponse, useRouteError } from "react-router-dom";

import { buttonClass } from "../../ui/button/button.tsx";
import { LoadingFailure, reloadOnce } from "../loading-failure.ts";
import { FailurePage } from "../shell/failure-page.tsx";
import { NavigationProgress } from "../shell/navigation-progress.tsx";
import { StatePage } from "../shell/state-page.tsx";

function NotFound() {
  const { t } = useTranslation("not-found");
  return (
    <StatePage title={t("title")} body={t("body")}>
      <a className={buttonClass("solid")} href="/">
        {t("home")}
      </a>
    </StatePage>
  );
}

function NotAllowed() {
  const { t } = useTranslation(["account", "not-found"]);
  return (
    <StatePage title={t("notAllowed.title")} body={t("notAllowed.body")}>
      <a className={buttonClass("solid")} href="/">
        {t("not-found:home")}
      </a>
    </StatePage>
  );
}

/** Code that cannot be fetched may belong to an earlier release: the address is loaded anew, once. */
function LoadingFailed() {
  const [reloading, setReloading] = useState(true);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- only the browser knows whether it reloads
    if (!reloadOnce()) setReloading(false);
  }, []);
  return reloading ? <NavigationProgress pending /> : <FailurePage />;
}

/** What a page of the signed-in area shows instead of itself. The next navigation shows its page. */
export function RouteFailure() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  if (isRouteErrorResponse(error) && error.status === 403) return <NotAllowed />;
  return error instanceof LoadingFailure ? <LoadingFailed /> : <FailurePage />;
}
