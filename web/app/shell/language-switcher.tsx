import type { SubmitEvent } from "react";
import { useTranslation } from "react-i18next";

import { isLanguage, otherLanguage } from "../../i18n/languages.ts";
import { usePageHost } from "../page-context.tsx";

/**
 * Offers the other language under its own name. Without scripts the form asks the server, which
 * sets the same cookie.
 */
export function LanguageSwitcher() {
  const { t, i18n: translator } = useTranslation("shell");
  const { switchLanguage } = usePageHost();
  const current = isLanguage(translator.language) ? translator.language : "en";
  const other = otherLanguage(current);
  const names = { en: t("language.en"), he: t("language.he") };

  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void switchLanguage(other);
  };

  return (
    <form
      className="language-switcher"
      method="post"
      action="/lang"
      aria-label={t("language.label")}
      onSubmit={onSubmit}
    >
      <input type="hidden" name="lang" value={other} />
      <button type="submit" lang={other}>
        {names[other]}
      </button>
    </form>
  );
}
