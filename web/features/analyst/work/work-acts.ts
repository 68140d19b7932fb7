import type { SharedWith } from "@pro-talent/schemas/analysts/saved-work";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import type { z } from "zod";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import { useAccount } from "../../account-query.ts";
import { isolated } from "../../isolated.ts";
import { toaster } from "../../toaster.ts";
import { keepQueries, type KeptQuery, newQuery, readQueries, withQuery } from "../kept-queries.ts";
import {
  type Content,
  savedWorkQuery,
  type SavedWork,
  type Summary,
  workKeys,
} from "./work-queries.ts";
import { codeOf, useRefusalText, useWorkTexts } from "./work-texts.ts";

/** What became of an attempt to save. `code`: why it was refused; undefined when there was no answer. */
export type Saved = { ok: true; saved: SavedWork } | { ok: false; code: string | undefined };
type Answer = Promise<{ saved: SavedWork }>;

/** Stores what a call answers in place of what was known. */
function useStoring() {
  const cache = useQueryClient();
  return async (answer: Answer): Promise<Saved> => {
    try {
      const { saved } = await answer;
      cache.setQueryData(savedWorkQuery(saved.workId).queryKey, { saved });
      void cache.invalidateQueries({ queryKey: workKeys.list });
      void cache.invalidateQueries({ queryKey: workKeys.deliveries });
      return { ok: true, saved };
    } catch (error) {
      return { ok: false, code: codeOf(error) };
    }
  };
}

/** Saves queries and dashboards. What a refusal means is left to the caller, which keeps what was written. */
export function useSaving() {
  const store = useStoring();
  const { call } = accountApi();
  return {
    create: (title: string, content: Content): Promise<Saved> =>
      store(
        queryAnswer(call("POST /api/console/analyst/work/saved", { body: { title, content } })),
      ),
    saveVersion: (workId: string, expectedVersion: number, content: Content): Promise<Saved> =>
      store(
        queryAnswer(
          call("POST /api/console/analyst/work/saved/:workId/versions", {
            params: { workId },
            body: { expectedVersion, content },
          }),
        ),
      ),
  };
}

/** Shows a query in a new tab of the console. */
export function useOpenInConsole(): (query: Partial<KeptQuery>) => void {
  const navigate = useNavigate();
  const { accountId } = useAccount();
  return (query) => {
    keepQueries(accountId, withQuery(readQueries(accountId), newQuery(query)));
    void navigate("/console/analyst");
  };
}

/** Whether the account may save versions of this: its own, or what has no owner any more. */
export function useMayChange({ archivedAt, isOwn, isHandedOver }: Summary): boolean {
  const isAnalyst = useAccount().roles.includes("analyst");
  return isAnalyst && archivedAt === null && (isOwn || isHandedOver);
}

/** Renames, shares and archives. Failures are said; archiving can be taken back. */
export function useWorkActs() {
  const { t } = useTranslation("analyst-work");
  const store = useStoring();
  const refusal = useRefusalText();
  const { sharing } = useWorkTexts();
  const { call } = accountApi();
  const said = async (answer: Answer, done: (saved: SavedWork) => string): Promise<boolean> => {
    const stored = await store(answer);
    toaster.show({ text: stored.ok ? done(stored.saved) : refusal(stored.code) });
    return stored.ok;
  };
  const archive = async (work: Pick<Summary, "workId" | "title">, isArchived: boolean) => {
    const params = { workId: work.workId };
    const stored = await store(
      queryAnswer(
        isArchived
          ? call("POST /api/console/analyst/work/saved/:workId/archive", { params })
          : call("POST /api/console/analyst/work/saved/:workId/restore", { params }),
      ),
    );
    if (!stored.ok) return toaster.show({ text: refusal(stored.code) });
    const title = isolated(work.title);
    return toaster.show({
      text: t(isArchived ? "archive.done" : "archive.restored", { title }),
      action: { label: t("undo"), onAction: () => void archive(work, !isArchived) },
    });
  };
  return {
    archive,
    rename: (workId: string, title: string): Promise<boolean> =>
      said(
        queryAnswer(
          call("PUT /api/console/analyst/work/saved/:workId/title", {
            params: { workId },
            body: { title },
          }),
        ),
        (saved) => t("rename.done", { title: isolated(saved.title) }),
      ),
    share: (workId: string, sharedWith: z.output<typeof SharedWith>): Promise<boolean> =>
      said(
        queryAnswer(
          call("PUT /api/console/analyst/work/saved/:workId/sharing", {
            params: { workId },
            body: { sharedWith },
          }),
        ),
        (saved) => t("sharing.done", { sharing: sharing(saved.sharedWith) }),
      ),
  };
}
