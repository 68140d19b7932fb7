import { useTranslation } from "react-i18next";

import "./brand.css";

export function Brand() {
  const { t } = useTranslation("shell");
  return (
    <span className="brand">
      <svg width="34" height="34" viewBox="0 0 30 30" aria-hidden="true">
        <path
          d="M10.5 8h6l3.5 3.500V22h-9.500Z M16.5 8v3.500H20"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
        <path
          className="brand__mark"
          d="M23.5 4.800C17.5 0.5 7.5 1.800 3.800 8.200C0 15 1.5 24.5 9.5 27.600C18 30.800 27 26.5 28.400 18C29.600 10.5 23 2.800 13.5 3.200"
          fill="none"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
      <span dir="ltr">{t("brand")}</span>
    </span>
  );
}
