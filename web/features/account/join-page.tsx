import { launch } from "@pro-talent/schemas/site/launch";
import { useTranslation } from "react-i18next";

import { AccountEntry } from "./account-entry.tsx";

/** Until the launch: how an account opens by invitation, through the waitlist. */
export function JoinPage() {
  const { t } = useTranslation("account");
  if (launch.state === "open")
    return <AccountEntry title={t("join.title")} lead={t("join.lead")} join={undefined} />;
  return (
    <AccountEntry title={t("join.title")} lead={t("join.lead")} join="/signup">
      <h2 id="join-steps" className="account-entry__steps-title">
        {t("join.stepsTitle")}
      </h2>
      <ol className="account-entry__steps" aria-labelledby="join-steps">
        <li>{t("join.steps.list")}</li>
        <li>{t("join.steps.confirm")}</li>
        <li>{t("join.steps.invitation")}</li>
      </ol>
    </AccountEntry>
  );
}
