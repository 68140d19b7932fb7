import { useId, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";

import { Icon } from "../../ui/icon/icon.tsx";
import { chooseTheme, currentTheme, subscribeToTheme } from "./theme-store.ts";
import { type Theme, themes } from "./theme.ts";

import "./theme-switcher.css";

const onServer = (): Theme => "system";

export function ThemeSwitcher() {
  const { t } = useTranslation("shell");
  const name = useId();
  const chosen = useSyncExternalStore(subscribeToTheme, currentTheme, onServer);
  const names: Record<Theme, string> = {
    light: t("theme.light"),
    dark: t("theme.dark"),
    system: t("theme.system"),
  };
  return (
    <fieldset className="theme-switcher">
      <legend className="visually-hidden">{t("theme.label")}</legend>
      {themes.map((theme) => (
        <label key={theme} className="theme-switcher__choice" title={names[theme]}>
          <input
            type="radio"
            name={name}
            value={theme}
            checked={theme === chosen}
            onChange={() => chooseTheme(theme)}
          />
          <Icon name={theme} />
          <span className="visually-hidden">{names[theme]}</span>
        </label>
      ))}
    </fieldset>
  );
}
