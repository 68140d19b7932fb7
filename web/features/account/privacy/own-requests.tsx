import { profileFieldOf } from "@pro-talent/schemas/privacy/correction-fields";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi, fetchFile } from "../../../api-client/account-api.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { LinkedText } from "../../../ui/linked-text/linked-text.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { instantText } from "../../instant-text.ts";
import { saveFile } from "../../save-file.ts";
import { toaster } from "../../toaster.ts";
import { WithheldPassages } from "../../withheld-passages.tsx";
import { type OwnRequest, requestsQuery } from "./requests-query.ts";

/** How it ended, or what happens next and when. */
function useCourse(request: OwnRequest): string {
  const { t } = useTranslation("account-privacy");
  const language = useLanguage();
  const day = (instant: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(Date.parse(instant));
  const { status, outcome, deletion, package: copy, denialReason, history } = request;
  if (copy !== null && copy.downloadsLeft > 0)
    return t("requests.next.package", { date: day(copy.expiresAt), count: copy.downloadsLeft });
  if (outcome === "denied")
    return t("requests.outcome.denied", {
      reason: t(`requests.reasons.${denialReason ?? "other"}`),
    });
  const [part] = request.partly;
  if (part !== undefined) return t(`requests.partly.${part}`);
  if (outcome !== null) return t(`requests.outcome.${outcome}`);
  if (status === "failed") return t("requests.next.failed");
  if (history.at(-1)?.step === "reviewing")
    return t("requests.next.reviewing", { date: day(request.dueAt) });
  if (deletion === null) return t("requests.next.decision", { date: day(request.dueAt) });
  if (!deletion.cancellable)
    return t("requests.next.erasing", { date: day(deletion.backupsGoneBy) });
  if (deletion.held) return t("requests.next.held");
  if (deletion.waived) return t("requests.next.waived");
  return t("requests.next.scheduled", { date: day(deletion.eraseAt) });
}

/** Fields of a correction that stay as they were, each with the reason, and how to object. */
function DeniedFields({ denied }: { denied: OwnRequest["deniedFields"] }) {
  const { t } = useTranslation("account-privacy");
  if (denied.length === 0) return null;
  const write = { text: t("requests.withheld.write"), href: "/contact" };
  return (
    <>
      <p>{t("requests.deniedFields")}</p>
      <ul>
        {denied.map(({ field, reason }) => (
          <li key={field}>
            {t(`correct.${profileFieldOf[field]}`)}: {t(`requests.reasons.${reason}`)}
          </li>
        ))}
      </ul>
      <p>
        <LinkedText text={t("requests.withheld.objection")} phrases={[write]} />
      </p>
    </>
  );
}

/** Saves the package. A download by address could not ask who it is. */
async function savePackage(requestId: string): Promise<void> {
  const file = await fetchFile(`/api/privacy/requests/${requestId}/package`);
  if (file === undefined) throw new Error("There is no package");
  saveFile(file, "pro-talent-data.zip");
}

/** What can be done with a request: its package downloaded, or the request withdrawn. */
function Acts({ request }: { request: OwnRequest }) {
  const { t } = useTranslation("account-privacy");
  const cache = useQueryClient();
  const { requestId, type, possible } = request;
  const settled = { onSettled: () => cache.invalidateQueries(requestsQuery) };
  const saving = useMutation({ mutationFn: () => savePackage(requestId), ...settled });
  const withdrawing = useMutation({
    mutationFn: async () => {
      const call = "POST /api/privacy/requests/:requestId/withdraw";
      const result = await accountApi().call(call, { params: { requestId }, body: {} });
      if (!result.ok) throw new Error(result.code);
      toaster.show({ text: t("requests.withdrawn") });
    },
    ...settled,
  });
  const hasPackage = possible.includes("PackageDownloaded");
  const canWithdraw = possible.includes("RequestWithdrawn");
  if (!hasPackage && !canWithdraw) return null;
  return (
    <>
      <div className="submission__actions">
        {hasPackage && (
          <Button variant="solid" disabled={saving.isPending} onClick={() => saving.mutate()}>
            {t("requests.download")}
          </Button>
        )}
        {canWithdraw && (
          <Button disabled={withdrawing.isPending} onClick={() => withdrawing.mutate()}>
            {t("requests.withdraw")}
            <span className="visually-hidden">: {t(`requests.types.${type}`)}</span>
          </Button>
        )}
      </div>
      <Notice kind="error">
        {(saving.isError && t("errors.exportFailed")) ||
          (withdrawing.isError && t("errors.withdrawFailed"))}
      </Notice>
    </>
  );
}

function Row({ request }: { request: OwnRequest }) {
  const { t } = useTranslation("account-privacy");
  const language = useLanguage();
  const course = useCourse(request);
  const { requestId, type, status, history } = request;
  return (
    <li className="privacy-request">
      <h3 className="settings__name">
        {t(`requests.types.${type}`)}
        <span className="settings__tag">{t(`requests.status.${status}`)}</span>
      </h3>
      <p>{course}</p>
      <DeniedFields denied={request.deniedFields} />
      <WithheldPassages
        withheld={request.withheld}
        title={t("requests.withheld.title")}
        reasonText={(reason) => t(`requests.withheld.reasons.${reason}`)}
        objection={t("requests.withheld.objection")}
        write={t("requests.withheld.write")}
      />
      <Acts request={request} />
      <ol className="privacy-history">
        {history.map(({ step, at }) => (
          <li key={`${step} ${at}`}>
            <span>{t(`requests.steps.${step}`)}</span>{" "}
            <time className="settings__note" dateTime={at}>
              {instantText(language, at)}
            </time>
          </li>
        ))}
      </ol>
      <p className="settings__note">
        {t("requests.number", { number: `\u2066${requestId.slice(0, 8)}\u2069` })}
      </p>
    </li>
  );
}

/** The requests of the account, each with its dates in plain words. */
export function OwnRequests({ requests }: { requests: readonly OwnRequest[] }) {
  return (
    <ul className="settings__rows">
      {requests.map((request) => (
        <Row key={request.requestId} request={request} />
      ))}
    </ul>
  );
}
