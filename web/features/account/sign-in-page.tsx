import { launch } from "@pro-talent/schemas/site/launch";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { AccountEntry } from "./account-entry.tsx";

/** Where accounts come from. `?next=` names the page that needs an account. */
export function SignInPage() {
  const { t } = useTranslation("account");
  const [query] = useSearchParams();
  const join = launch.state === "open" ? "/join" : "/signup";
  return (
    <AccountEntry title={t("signIn.title")} lead={t("signIn.lead")} join={join}>
      {query.has("next") && <p className="account-entry__next">{t("signIn.next")}</p>}
      <p>{t("signIn.body")}</p>
    </AccountEntry>
  );
}
