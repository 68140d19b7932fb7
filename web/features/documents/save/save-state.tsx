import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { useAccount } from "../../account-query.ts";
import type { SavingStatus } from "./document-saving.ts";

/** How much of what was typed is with the server, in words. */
export function SaveState({ savedAt, status }: { savedAt: string; status: SavingStatus }) {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const time = new Intl.DateTimeFormat(language, {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date(savedAt));
  const trouble: Partial<Record<SavingStatus, string>> = {
    deleted: t("save.deleted"),
    refused: t("save.refused"),
    "too-long": t("save.tooLong"),
    unreached: t(navigator.onLine ? "save.unreached" : "save.offline", { time }),
  };
  const said = trouble[status];
  const isSaved = status === "saved";
  const text = said ?? t(isSaved ? "save.saved" : "save.saving", { time });
  const kind = said === undefined ? status : "trouble";
  return (
    <output className="cv-save" data-kind={kind}>
      {text}
    </output>
  );
}
