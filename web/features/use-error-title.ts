import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** Begins the document's title with "Error:" while a form shows that it was refused. */
export function useErrorTitle(refused: boolean): void {
  const { t } = useTranslation("shell");
  const prefix = t("titleWithError", { title: "" });
  useEffect(() => {
    if (!refused) return undefined;
    document.title = prefix + document.title;
    // Not what it was before: the visitor may be on another page.
    return () => {
      if (document.title.startsWith(prefix)) document.title = document.title.slice(prefix.length);
    };
  }, [refused, prefix]);
}
