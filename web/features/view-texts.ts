import { useTranslation } from "react-i18next";

import { CallFailure } from "../api-client/query-answer.ts";
import { useLanguage } from "../i18n/use-language.ts";
import type { DataViewTexts, FailureText } from "../ui/data-view/data-view.tsx";

/**
 * The texts of the six states that all views of the account share.
 * @param loading announced while the first answer is awaited
 */
export function useViewTexts(loading: string): {
  texts: DataViewTexts;
  describe: (cause: Error | "offline") => FailureText;
} {
  const { t } = useTranslation("account");
  const language = useLanguage();
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  return {
    texts: {
      loading,
      retry: t("view.retry"),
      clearFilter: t("view.clear"),
      outdated: (since) => t("view.outdated", { time: time.format(since) }),
    },
    describe: (cause) => {
      if (cause === "offline") return { title: t("view.offline"), body: t("view.offlineBody") };
      if (cause instanceof CallFailure && cause.status === 403)
        return { title: t("view.denied"), denied: true };
      return { title: t("view.failed"), body: t("view.failedBody") };
    },
  };
}
