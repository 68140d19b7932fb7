import type { i18n } from "i18next";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";

import { useLateTexts } from "../../features/late-texts.ts";
import { chooseTheme } from "../../features/theme/theme-store.ts";
import { themes } from "../../features/theme/theme.ts";
import { CommandPanel } from "../../ui/command-menu/command-panel.tsx";
import { signOut } from "./query-client.ts";

/** A page of the navigation, and other words by which it is found. */
export type CommandPage = {
  href: string;
  label: string;
  keywords: ((translator: i18n) => string) | undefined;
};

type CommandsPanelProps = { pages: readonly CommandPage[]; onClose: () => void };

/** Every page that this account may open, and what can be done from anywhere, by name. */
export function CommandsPanel({ pages, onClose }: CommandsPanelProps) {
  const { t, i18n: translator } = useTranslation(["account-commands", "account", "shell"]);
  const navigate = useNavigate();
  if (!useLateTexts("account-commands")) return null;
  const actions: readonly { id: string; text: string; keywords: string; run: () => void }[] = [
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      text: t(`${theme}`),
      keywords: t("words.theme"),
      run: () => chooseTheme(theme),
    })),
    {
      id: "language",
      text: t("language"),
      keywords: t("shell:language.label"),
      run: () => document.querySelector<HTMLFormElement>(".language-switcher")?.requestSubmit(),
    },
    {
      id: "home",
      text: t("home"),
      keywords: "",
      run: () => location.assign("/"),
    },
    {
      id: "sign-out",
      text: t("account:layout.signOut"),
      keywords: t("words.signOut"),
      run: () => void signOut(),
    },
  ];
  const onRun = (id: string): void => {
    onClose();
    const action = actions.find((candidate) => candidate.id === id);
    if (action === undefined) void navigate(id);
    else action.run();
  };
  const found = pages.map(({ href, label, keywords }) => ({
    id: href,
    text: label,
    keywords: keywords?.(translator) ?? "",
  }));
  return (
    <CommandPanel
      texts={{ title: t("title"), close: t("close"), noMatch: t("noMatch") }}
      groups={[
        { id: "pages", title: t("pages"), commands: found },
        { id: "actions", title: t("actions"), commands: actions },
      ]}
      onClose={onClose}
      onRun={onRun}
    />
  );
}
