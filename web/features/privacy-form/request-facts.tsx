import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { instantText } from "../instant-text.ts";
import type { FormRequest } from "./request-status-calls.ts";

/** What comes next, in one sentence. */
function useNext(request: FormRequest): string {
  const { t } = useTranslation("privacy-request");
  const language = useLanguage();
  const day = (at: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(new Date(at));
  const { identity, status, outcome, deletion, package: copy, history } = request;
  if (copy !== null && copy.downloadsLeft > 0)
    return t("status.state.package", { date: day(copy.expiresAt), count: copy.downloadsLeft });
  if (identity === "ended" && outcome === "denied") return t("status.state.ended");
  if (outcome !== null) {
    const reason = t(`status.reasons.${request.denialReason ?? "other"}`);
    return outcome === "denied"
      ? t("status.outcomes.denied", { reason })
      : t(`status.outcomes.${outcome}`);
  }
  if (identity === "open") return t("status.state.code");
  if (status === "failed") return t("status.state.failed");
  if (deletion !== null) {
    if (!deletion.cancellable)
      return t("status.state.erasing", { date: day(deletion.backupsGoneBy) });
    return deletion.held
      ? t("status.state.held")
      : t("status.state.scheduled", { date: day(deletion.eraseAt) });
  }
  // The due date is the end of a day.
  const date = day(new Date(Date.parse(request.dueAt) - 1).toISOString());
  const isWorking = history.some(({ step }) => step === "working");
  return t(`status.state.${isWorking ? "working" : "decision"}`, { date });
}

/** What was asked for, where it stands, and its steps so far. */
export function RequestFacts({ request }: { request: FormRequest }) {
  const { t } = useTranslation("privacy-request");
  const language = useLanguage();
  const next = useNext(request);
  const { requestId, type, receivedAt, history } = request;
  return (
    <section className="request-status__facts" aria-labelledby="request-type">
      <h2 id="request-type">
        {t(type === "cancel-deletion" ? "status.types.delete" : `status.types.${type}`)}
      </h2>
      <p className="request-status__next">{next}</p>
      {request.withheld.length > 0 && <p>{t("status.withheld")}</p>}
      <p className="request-status__quiet">
        {t("status.received", { date: instantText(language, receivedAt) })} ·{" "}
        {t("status.number", { number: `\u2066${requestId.slice(0, 8)}\u2069` })}
      </p>
      <h3>{t("status.history")}</h3>
      <ol className="request-status__history">
        {history.map(({ step, at }) => (
          <li key={`${step} ${at}`}>
            {t(`status.steps.${step}`)}{" "}
            <time className="request-status__quiet" dateTime={at}>
              {instantText(language, at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
