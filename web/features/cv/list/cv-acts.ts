import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import type { CallInput } from "../../../api-client/request.ts";
import { type CvSummary, cvsQuery } from "../../cv-list.ts";
import { isolated } from "../../isolated.ts";
import { toaster } from "../../toaster.ts";
import { cvQuery, type CvState } from "../cv-queries.ts";
import { download, type Format } from "../download.ts";

type Made = CallInput<"POST /api/cvs">["body"];

const named = ({ title }: CvSummary) => ({ title: isolated(title) });
const say = (text: string): false => {
  toaster.show({ text });
  return false;
};

/** Makes and changes CVs. */
function useCvChanges() {
  const { t } = useTranslation("cv");
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: cvsQuery.queryKey });
  const create = async (body: Made): Promise<CvState | undefined> => {
    const result = await accountApi()
      .call("POST /api/cvs", { body })
      .catch(() => undefined);
    if (result?.ok !== true || result.answer === undefined) {
      say(t(result?.ok === false && result.code === "cvs_full" ? "full" : "failed"));
      return undefined;
    }
    const { cv } = result.answer;
    cache.setQueryData(cvQuery(cv.cvId).queryKey, { cv });
    void refresh();
    return cv;
  };
  const change = async (
    cv: CvSummary,
    body: { title?: string; archived?: boolean },
  ): Promise<boolean> => {
    const result = await accountApi()
      .call("PATCH /api/cvs/:cvId", { params: { cvId: cv.cvId }, body })
      .catch(() => undefined);
    if (result?.ok !== true) return say(t("failed"));
    void cache.invalidateQueries({ queryKey: cvQuery(cv.cvId).queryKey });
    await refresh();
    return true;
  };
  const remove = async (cv: CvSummary): Promise<boolean> => {
    const result = await accountApi()
      .call("DELETE /api/cvs/:cvId", { params: { cvId: cv.cvId } })
      .catch(() => undefined);
    // Deleted in another tab is deleted, too.
    if (result === undefined || (!result.ok && result.status !== 404)) return say(t("failed"));
    toaster.show({ text: t("delete.done", named(cv)) });
    cache.removeQueries({ queryKey: cvQuery(cv.cvId).queryKey });
    await refresh();
    return true;
  };
  return { create, change, remove };
}

/** What is done with CVs; the list follows, and a failure is said. */
export function useCvActs() {
  const { t } = useTranslation("cv");
  const { create, change, remove } = useCvChanges();
  const restore = async (cv: CvSummary): Promise<void> => {
    if (await change(cv, { archived: false })) say(t("archive.restored", named(cv)));
  };
  return {
    create,
    rename: (cv: CvSummary, title: string) => change(cv, { title }),
    restore,
    duplicate: async (cv: CvSummary, language: Locale): Promise<CvState | undefined> => {
      const title =
        language === cv.language
          ? t("copy.title", { title: cv.title })
          : t("copy.titleIn", { title: cv.title, language: t(`languages.${language}`) });
      const made = await create({ title: title.slice(0, 200), language, copyOf: cv.cvId });
      if (made !== undefined) say(t("copy.done", named(made)));
      return made;
    },
    archive: async (cv: CvSummary): Promise<void> => {
      if (!(await change(cv, { archived: true }))) return;
      const action = { label: t("archive.undo"), onAction: () => void restore(cv) };
      toaster.show({ text: t("archive.done", named(cv)), action });
    },
    remove,
    save: async (cv: CvSummary, format: Format): Promise<void> => {
      if (!(await download(cv.cvId, cv.title, format))) say(t("export.failed"));
    },
  };
}
