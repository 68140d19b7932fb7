import { useTranslation } from "react-i18next";

export function SignupPage() {
  const { t } = useTranslation("signup");
  return (
    <header className="page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
    </header>
  );
}
