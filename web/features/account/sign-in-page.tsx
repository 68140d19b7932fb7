import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { AccountEntry } from "./account-entry.tsx";

/** States that accounts open by invitation. `?next=` names the page that needs an account. */
export function SignInPage() {
  const { t } = useTranslation("account");
  const [query] = useSearchParams();
  return (
    <AccountEntry title={t("signIn.title")} lead={t("signIn.lead")}>
      {query.has("next") && <p className="account-entry__next">{t("signIn.next")}</p>}
      <p>{t("signIn.body")}</p>
    </AccountEntry>
  );
}
