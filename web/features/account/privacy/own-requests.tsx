import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { instantText } from "../../instant-text.ts";
import type { OwnRequest } from "./requests-query.ts";

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
