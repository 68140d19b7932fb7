import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import type { CallInput, CallName, CallResult } from "../../../api-client/request.ts";
import { toaster } from "../../toaster.ts";
import { useTrackerCache } from "../acts.ts";
import { trackerKey } from "../queries.ts";

type Patch = NonNullable<CallInput<"PATCH /api/applications/:applicationId">["body"]>;

/** What changes an application and its notes, files and reminders; what is shown follows. */
export function usePartActs(applicationId: string) {
  const { t } = useTranslation("applications");
  const queries = useQueryClient();
  const cache = useTrackerCache();
  /** Sends a call of a part and asks anew for what it changes. */
  const send = async <Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
  ): Promise<CallResult<Name>> => {
    const result = await accountApi().call(name, input);
    if (result.ok) {
      void queries.invalidateQueries({ queryKey: trackerKey });
      await queries.invalidateQueries({ queryKey: [...trackerKey, "one", applicationId] });
    }
    return result;
  };
  /** As `send`, where a failure has no place of its own. @returns whether it was accepted */
  const act = async <Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
  ): Promise<boolean> => {
    const result = await send(name, input).catch(() => undefined);
    if (result?.ok !== true) toaster.show({ text: t("failed") });
    return result?.ok === true;
  };
  const patch = async (body: Patch) => {
    const params = { applicationId };
    const result = await accountApi().call("PATCH /api/applications/:applicationId", {
      params,
      body,
    });
    if (result.ok && result.answer !== undefined) {
      cache.upsert([result.answer.application]);
      cache.refreshDerived();
    }
    return result;
  };
  return { send, act, patch };
}
