import { useTranslation } from "react-i18next";

/** The policy on newsletters. Static, so that its texts are not part of the scripts. */
export function NewsletterText() {
  const { t } = useTranslation("newsletter-never");
  return (
    <>
      <p>{t("policy.body")}</p>
      <p>{t("policy.confirm")}</p>
      <p>{t("policy.end")}</p>
      <p>{t("policy.never")}</p>
    </>
  );
}
