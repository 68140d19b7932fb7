import { applicationLimits } from "@pro-talent/schemas/applications/limits";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi, fetchFile } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import { isolated } from "../isolated.ts";
import { saveFile } from "../save-file.ts";
import { toaster } from "../toaster.ts";
import { movedLocally } from "./board/board-order.ts";
import { type Application, trackerKey, trackerQuery, type Tracker } from "./queries.ts";

type Move = { ids: readonly string[]; stageId: string; before: string | null };

type Known = readonly Application[];
const ofIds = (applications: Known, ids: readonly string[]): Known => {
  const wanted = new Set(ids);
  return applications.filter(({ applicationId }) => wanted.has(applicationId));
};
/** What comes after an application in its stage; null at its end, and for several. */
function followerOf(known: Known, ones: Known): string | null {
  const [one, ...others] = ones;
  if (one === undefined || others.length > 0) return null;
  const after = known.filter(({ stageId, rank }) => stageId === one.stageId && rank > one.rank);
  const [first] = after.toSorted((left, right) => (left.rank < right.rank ? -1 : 1));
  return first?.applicationId ?? null;
}
/** Ids in parts that one call takes. */
function parts(ids: readonly string[]): string[][] {
  const { bulkMax } = applicationLimits;
  return Array.from({ length: Math.ceil(ids.length / bulkMax) }, (_, index) =>
    ids.slice(index * bulkMax, (index + 1) * bulkMax),
  );
}
const derived = ["suggestions", "statistics", "one"] as const;

/** What board, table and calendar show of the tracker. */
export function useTrackerCache() {
  const cache = useQueryClient();
  const change = (next: (known: Tracker) => Tracker): void => {
    cache.setQueryData(trackerQuery.queryKey, (known) => known && next(known));
  };
  return {
    applications: (): Known => cache.getQueryData(trackerQuery.queryKey)?.applications ?? [],
    change,
    /** Applications in the place of their earlier versions; new ones at the end. */
    upsert: (changed: Known): void =>
      change((known) => {
        const byId = new Map(changed.map((one) => [one.applicationId, one]));
        const applications = known.applications.map((one) => {
          const next = byId.get(one.applicationId);
          byId.delete(one.applicationId);
          return next ?? one;
        });
        return { ...known, applications: [...applications, ...byId.values()] };
      }),
    /** Asks anew for what follows from applications. */
    refreshDerived: (): void => {
      for (const part of derived) void cache.invalidateQueries({ queryKey: [...trackerKey, part] });
    },
    refreshAll: () => cache.invalidateQueries({ queryKey: trackerKey }),
  };
}

/** Moves: shown at once, in the order in which they were made, taken back when they are refused. */
function useMove() {
  const { t } = useTranslation("applications");
  const cache = useTrackerCache();
  return useMutation({
    mutationKey: [...trackerKey, "move"],
    scope: { id: "move-applications" },
    mutationFn: async ({ ids, stageId, before }: Move) => {
      const moved: Application[] = [];
      for (const applicationIds of parts(ids)) {
        const body = { applicationIds, stageId, before };
        const call = accountApi().call("POST /api/applications/moves", { body });
        moved.push(...(await queryAnswer(call)).applications);
      }
      return moved;
    },
    onMutate: ({ ids, stageId, before }) => {
      const known = cache.applications();
      const next = movedLocally(known, ids, { stageId, before });
      const ranks = new Map(ofIds(next, ids).map((one) => [one.applicationId, one.rank]));
      cache.change((tracker) => ({ ...tracker, applications: [...next] }));
      return { earlier: ofIds(known, ids), ranks };
    },
    onSuccess: (moved, _, { ranks }) => {
      // What has been moved again since then stays where it is.
      const now = new Map(cache.applications().map((one) => [one.applicationId, one.rank]));
      cache.upsert(moved.filter(({ applicationId: id }) => now.get(id) === ranks.get(id)));
      cache.refreshDerived();
    },
    onError: (_error, _move, context) => {
      const now = new Map(cache.applications().map((one) => [one.applicationId, one.rank]));
      const { earlier = [], ranks } = context ?? {};
      cache.upsert(earlier.filter(({ applicationId: id }) => now.get(id) === ranks?.get(id)));
      toaster.show({ text: t("failed") });
    },
  });
}

/** "Acme", or "3 applications", and how a failure is said. */
function useSayings() {
  const { t } = useTranslation("applications");
  const cache = useTrackerCache();
  return {
    failed: (): false => {
      toaster.show({ text: t("failed") });
      return false;
    },
    nameOf: (ids: readonly string[]): string => {
      const known = ofIds(cache.applications(), ids);
      return known.length === 1 && known[0] !== undefined
        ? isolated(known[0].details.company)
        : t("count", { count: known.length });
    },
  };
}

/** Moves applications, and offers to move them back. */
function useUndoableMove() {
  const { t } = useTranslation("applications");
  const cache = useTrackerCache();
  const { nameOf } = useSayings();
  const { mutate } = useMove();
  return (next: Move, stageName: string): void => {
    const known = cache.applications();
    const earlier = ofIds(known, next.ids);
    const back = followerOf(known, earlier);
    mutate(next);
    if (earlier.every(({ stageId }) => stageId === next.stageId)) return;
    const undo = (): void => {
      for (const [stageId, ones] of Map.groupBy(earlier, (one) => one.stageId))
        mutate({ ids: ones.map(({ applicationId }) => applicationId), stageId, before: back });
    };
    const text = t("move.done", { name: nameOf(next.ids), stage: isolated(stageName) });
    toaster.show({ text, action: { label: t("undo"), onAction: undo } });
  };
}

/** Archives applications, or restores them, and offers to take that back. */
function useArchive() {
  const { t } = useTranslation("applications");
  const cache = useTrackerCache();
  const { failed, nameOf } = useSayings();
  const set = async (ids: readonly string[], archived: boolean): Promise<boolean> => {
    for (const applicationIds of parts(ids)) {
      const body = { applicationIds, archived };
      const result = await accountApi()
        .call("POST /api/applications/archive", { body })
        .catch(() => undefined);
      if (result?.ok !== true || result.answer === undefined) return failed();
      cache.upsert(result.answer.applications);
    }
    cache.refreshDerived();
    return true;
  };
  return async (ids: readonly string[], archived: boolean): Promise<void> => {
    const name = nameOf(ids);
    if (!(await set(ids, archived))) return;
    const action = { label: t("undo"), onAction: () => void set(ids, !archived) };
    toaster.show({ text: t(archived ? "archive.done" : "archive.restored", { name }), action });
  };
}

/** What is done with applications. Failures are said; what is reversible can be undone. */
export function useApplicationActs() {
  const { t } = useTranslation("applications");
  const cache = useTrackerCache();
  const { failed, nameOf } = useSayings();
  const remove = async (ids: readonly string[]): Promise<boolean> => {
    const name = nameOf(ids);
    const gone = new Set(ids);
    for (const applicationIds of parts(ids)) {
      const result = await accountApi()
        .call("POST /api/applications/delete", { body: { applicationIds } })
        .catch(() => undefined);
      // Deleted in another tab is deleted, too.
      if (result === undefined || (!result.ok && result.status !== 404)) return failed();
    }
    cache.change((known) => ({
      ...known,
      applications: known.applications.filter(({ applicationId }) => !gone.has(applicationId)),
    }));
    cache.refreshDerived();
    toaster.show({ text: t("delete.done", { name }) });
    return true;
  };
  const save = async (format: "csv" | "ics"): Promise<void> => {
    const file = await fetchFile(`/api/applications/export/${format}`).catch(() => undefined);
    if (file === undefined) failed();
    else saveFile(file, `applications.${format}`);
  };
  return { move: useUndoableMove(), archive: useArchive(), remove, save };
}
