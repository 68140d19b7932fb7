import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { instantText } from "../instant-text.ts";
import { toaster } from "../toaster.ts";
import { saveFile } from "./privacy-calls.ts";
import { type OwnRequest, requestsQuery } from "./requests-query.ts";

/** How it ended, or what happens next and when. */
function useCourse(request: OwnRequest): string {
  const { t } = useTranslation("account-privacy");
  const language = useLanguage();
  const day = (instant: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(Date.parse(instant));
  const { status, outcome, deletion, package: copy, denialReason } = request;
  if (copy !== null && copy.downloadsLeft > 0)
    return t("requests.next.package", { date: day(copy.expiresAt), count: copy.downloadsLeft });
  if (outcome === "denied")
    return t("requests.outcome.denied", {
      reason: t(`requests.reasons.${denialReason ?? "other"}`),
    });
  if (outcome !== null) return t(`requests.outcome.${outcome}`);
  if (status === "failed") return t("requests.next.failed");
  if (deletion === null) return t("requests.next.decision", { date: day(request.dueAt) });
  if (!deletion.cancellable)
    return t("requests.next.erasing", { date: day(deletion.backupsGoneBy) });
  if (deletion.held) return t("requests.next.held");
  if (deletion.waived) return t("requests.next.waived");
  return t("requests.next.scheduled", { date: day(deletion.eraseAt) });
}

type ActsProps = { request: OwnRequest };

/** What its holder can do with a request; a deletion has a part of its own. */
function Acts({ request: { requestId, type, status, outcome, history, ...request } }: ActsProps) {
  const { t } = useTranslation(["account-privacy", "account"]);
  const cache = useQueryClient();
  const reload = () => cache.invalidateQueries({ queryKey: requestsQuery.queryKey });
  const withdrawing = useMutation({
    mutationFn: () => {
      const call = "POST /api/privacy/requests/:requestId/withdraw";
      return queryAnswer(accountApi().call(call, { params: { requestId }, body: {} }));
    },
    onSuccess: () => toaster.show({ text: t("requests.withdrawn") }),
    onSettled: reload,
  });
  const downloading = useMutation({
    mutationFn: () => saveFile(`/api/privacy/requests/${requestId}/package`, "pro-talent-data.zip"),
    onSettled: reload,
  });
  const isUndecided =
    outcome === null &&
    status === "pending" &&
    (type === "access" || type === "correct") &&
    !history.some(({ step }) => step === "working");
  return (
    <div>
      <Notice kind="error">
        {(downloading.isError || downloading.data === false) && t("errors.exportFailed")}
      </Notice>
      <Notice kind="error">{withdrawing.isError && t("account:errors.failed")}</Notice>
      <div className="submission__actions">
        {request.package !== null && request.package.downloadsLeft > 0 && (
          <Button disabled={downloading.isPending} onClick={() => downloading.mutate()}>
            {t("requests.download")}
          </Button>
        )}
        {isUndecided && (
          <Button disabled={withdrawing.isPending} onClick={() => withdrawing.mutate()}>
            {t("requests.withdraw")}
          </Button>
        )}
      </div>
    </div>
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
      <Acts request={request} />
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
