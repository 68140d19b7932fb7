import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { SubmitEvent } from "react";
import { useTranslation } from "react-i18next";

import { rememberLanguage } from "../../i18n/document-language.ts";
import { otherLanguage } from "../../i18n/languages.ts";
import { useLanguage } from "../../i18n/use-language.ts";

import "./language-switcher.css";

type LanguageSwitcherProps = {
  /** Switches in place. Without it, and without scripts, the server leads back to this page. */
  onSwitch?: (language: Locale) => Promise<void>;
};

/** Offers the other language under its own name. */
export function LanguageSwitcher({ onSwitch }: LanguageSwitcherProps) {
  const { t } = useTranslation("shell");
  const other = otherLanguage(useLanguage());
  const names = { en: t("language.en"), he: t("language.he") };

  const onSubmit = (event: SubmitEvent): void => {
    if (onSwitch === undefined) {
      rememberLanguage(other);
      return;
    }
    event.preventDefault();
    void onSwitch(other);
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
