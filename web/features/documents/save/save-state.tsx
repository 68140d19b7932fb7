import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { useAccount } from "../../account-query.ts";
import { isSaved, type SavingSnapshot } from "./use-saving.ts";

/** How much of what was typed is with the server, in words. */
export function SaveState({ snapshot }: { snapshot: SavingSnapshot }) {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const { base, tooLong } = snapshot.context;
  const at = new Intl.DateTimeFormat(language, {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date(base.savedAt));
  const words = (): { kind: string; text: string } => {
    if (snapshot.matches("deleted")) return { kind: "trouble", text: t("save.deleted") };
    if (snapshot.matches("refused"))
      return { kind: "trouble", text: t(tooLong ? "save.tooLong" : "save.refused") };
    if (snapshot.matches("waiting"))
      return {
        kind: "trouble",
        text: t(navigator.onLine ? "save.unreached" : "save.offline", { time: at }),
      };
    if (isSaved(snapshot)) return { kind: "saved", text: t("save.saved", { time: at }) };
    return { kind: "saving", text: t("save.saving") };
  };
  const { kind, text } = words();
  return (
    <output className="cv-save" data-kind={kind}>
      {text}
    </output>
  );
}
