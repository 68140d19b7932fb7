import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import type { CallInput, CallResult } from "../../api-client/request.ts";
import { toaster } from "../toaster.ts";
import { portfolioQuery } from "./portfolio-queries.ts";

type SettingCall =
  | "PATCH /api/portfolio"
  | "POST /api/portfolio/publish"
  | "POST /api/portfolio/unpublish"
  | "DELETE /api/portfolio/pages/:language";
type Settings = NonNullable<CallInput<"PATCH /api/portfolio">["body"]>;

/** Refusals that say what is missing; each has a text. */
const refusals = [
  "portfolio_not_included",
  "look_not_included",
  "portfolio_taken_down",
  "picture_without_text",
  "portfolio_expiry_past",
] as const;
const isRefusal = (code: string | undefined): code is (typeof refusals)[number] =>
  refusals.some((one) => one === code);

/** What readers see, and by which rules. @param saved saves what is not saved yet; false when it cannot */
export function usePublishing(saved: () => Promise<boolean>) {
  const { t } = useTranslation("portfolio");
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const say = (text: string): false => {
    toaster.show({ text });
    return false;
  };
  const take = async <Name extends SettingCall>(calling: Promise<CallResult<Name>>) => {
    setBusy(true);
    const result = await calling.catch(() => undefined);
    setBusy(false);
    if (result?.ok === true && result.answer !== undefined) {
      cache.setQueryData(portfolioQuery.queryKey, result.answer);
      return true;
    }
    // What the plan includes and what was taken down may be known by now.
    void cache.invalidateQueries({ queryKey: portfolioQuery.queryKey });
    const code: string | undefined = result?.ok === false ? result.code : undefined;
    return say(isRefusal(code) ? t(`publish.refused.${code}`) : t("failed"));
  };
  return {
    busy,
    publish: async (
      state: "published" | "unlisted",
      languages: readonly Locale[],
    ): Promise<boolean> => {
      setBusy(true);
      const isSaved = await saved();
      setBusy(false);
      if (!isSaved) return say(t("publish.unsaved"));
      // What was saved is there.
      const pages = (cache.getQueryData(portfolioQuery.queryKey)?.portfolio.pages ?? [])
        .filter(({ language }) => languages.includes(language))
        .map(({ language, version }) => ({ language, version }));
      const done = await take(
        accountApi().call("POST /api/portfolio/publish", { body: { state, pages } }),
      );
      if (done) say(t(`publish.done.${state}`));
      return done;
    },
    unpublish: async (): Promise<void> => {
      if (await take(accountApi().call("POST /api/portfolio/unpublish", {})))
        say(t("publish.done.draft"));
    },
    change: (settings: Settings): Promise<boolean> =>
      take(accountApi().call("PATCH /api/portfolio", { body: settings })),
    remove: (language: Locale): Promise<boolean> =>
      take(accountApi().call("DELETE /api/portfolio/pages/:language", { params: { language } })),
  };
}
export type Publishing = ReturnType<typeof usePublishing>;
