import { privacyLimits } from "@pro-talent/schemas/privacy/limits";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMachine } from "@xstate/react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useAccount } from "../../account-query.ts";
import { daysUntil } from "../../days-until.ts";
import { textIn } from "../../form-machine.ts";
import { SubmissionForm } from "../../submission-form.tsx";
import { toaster } from "../../toaster.ts";
import { EmailField, emailFault } from "../fields.tsx";
import { deletionMachine, possibleActs } from "./deletion.machine.ts";
import { dateAfter, outcomeOf } from "./privacy-calls.ts";
import { openDeletion, type OwnRequest, requestsQuery } from "./requests-query.ts";

/** What happens on which date, before anything is asked for. */
function Dates() {
  const { t } = useTranslation("account-privacy");
  const language = useLanguage();
  const { graceDays, backupDays } = privacyLimits;
  const date = (days: number) => dateAfter(days, language);
  const steps = [
    { when: t("delete.today"), what: t("delete.todayBody") },
    {
      when: t("delete.eraseOn", { date: date(graceDays), days: graceDays }),
      what: t("delete.eraseBody"),
    },
    {
      when: t("delete.backupsBy", { date: date(backupDays), days: backupDays }),
      what: t("delete.backupsBody"),
    },
  ];
  return (
    <ol className="privacy-dates">
      {steps.map(({ when, what }) => (
        <li key={when}>
          <strong>{when}</strong>
          <p>{what}</p>
        </li>
      ))}
    </ol>
  );
}

type FormProps = { act: "delete" | "waive"; onKeep: () => void };

/** The form of an act that needs the address retyped; accepted, the part shows where the deletion stands. */
function ActForm({ act, onKeep }: FormProps) {
  const { t } = useTranslation("account-privacy");
  const cache = useQueryClient();
  const { email: own } = useAccount();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const send = (data: FormData) => {
    const email = textIn(data, "email").trim();
    const { call } = accountApi();
    const calling =
      act === "delete"
        ? call("POST /api/privacy/requests/delete", {
            body: { email, reason: textIn(data, "reason") },
          })
        : call("POST /api/privacy/requests/waive-grace", { body: { email } });
    return outcomeOf(cache, calling, "account-privacy:errors.deleteFailed");
  };
  return (
    <SubmissionForm
      submission={{ faultsIn: (data) => ({ email: emailFault(data) }), send }}
      submit={t(act === "delete" ? "delete.submit" : "delete.waiveSubmit")}
      sending={t(act === "delete" ? "delete.sending" : "delete.waiveSending")}
      actions={<Button onClick={onKeep}>{t("delete.keep")}</Button>}
    >
      {(field) => (
        <>
          <h3 ref={title} className="settings__title" tabIndex={-1}>
            {t(act === "delete" ? "delete.form" : "delete.waiveTitle")}
          </h3>
          {act === "delete" ? <Dates /> : <p>{t("delete.waiveBody")}</p>}
          <EmailField
            field={field}
            label={t("delete.email")}
            hint={t("delete.emailHint", { email: `\u2068${own}\u2069` })}
          />
          {act === "delete" && (
            <Field {...field("reason")} label={t("delete.reason")} hint={t("delete.reasonHint")}>
              {(control) => (
                <textarea
                  {...control}
                  name="reason"
                  dir="auto"
                  rows={3}
                  maxLength={privacyLimits.reasonCharsMax}
                />
              )}
            </Field>
          )}
        </>
      )}
    </SubmissionForm>
  );
}

/** Cancels the scheduled deletion; also from the banner. */
export function CancelDeletion() {
  const { t } = useTranslation(["account-privacy", "account"]);
  const cache = useQueryClient();
  const cancelling = useMutation({
    mutationFn: async () => {
      const call = "POST /api/privacy/requests/cancel-deletion";
      const result = await accountApi().call(call, { body: {} });
      if (result.ok) toaster.show({ text: t("delete.cancelled") });
      else if (result.code === "erasing_already") toaster.show({ text: t("delete.tooLate") });
      else throw new Error(result.code);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: requestsQuery.queryKey }),
  });
  return (
    <>
      <Button variant="solid" disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
        {t(cancelling.isPending ? "delete.cancelling" : "delete.cancel")}
      </Button>
      <Notice kind="error">{cancelling.isError && t("errors.cancelDeletionFailed")}</Notice>
    </>
  );
}

const restrictions = ["links", "opens", "mails", "billing"] as const;

/** A deletion that is under way: its date, what is restricted meanwhile, the days that are left, and what can still be done. */
function Scheduled({ request, onWaive }: { request: OwnRequest; onWaive: () => void }) {
  const { t } = useTranslation("account-privacy");
  const language = useLanguage();
  const { deletion } = request;
  if (deletion === null) return null;
  const { eraseAt, backupsGoneBy, waived, held } = deletion;
  const acts = possibleActs(request);
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long" });
  if (!acts.includes("cancel"))
    return <p>{t("requests.next.erasing", { date: date.format(Date.parse(backupsGoneBy)) })}</p>;
  const days = Math.max(0, daysUntil(eraseAt));
  return (
    <div className="privacy-scheduled">
      <h3 className="settings__title">
        {t("delete.scheduled", { date: date.format(Date.parse(eraseAt)) })}
      </h3>
      <p>
        {held || waived
          ? t(held ? "requests.next.held" : "requests.next.waived")
          : t("delete.daysLeft", { count: days })}
      </p>
      <p>{t("delete.restricted")}</p>
      <ul>
        {restrictions.map((what) => (
          <li key={what}>{t(`delete.restrictions.${what}`)}</li>
        ))}
      </ul>
      <p>{t("delete.unchanged")}</p>
      <div className="submission__actions">
        <CancelDeletion />
        {acts.includes("waive") && <Button onClick={onWaive}>{t("delete.waive")}</Button>}
      </div>
    </div>
  );
}

/** The deletion of the account: asked for, scheduled, cancelled or brought forward. */
export function Deletion({ requests }: { requests: readonly OwnRequest[] }) {
  const { t } = useTranslation("account-privacy");
  const request = openDeletion(requests);
  const possible = useMemo(() => possibleActs(request), [request]);
  const [snapshot, send] = useMachine(deletionMachine, { input: { possible } });
  const place = useRef<HTMLDivElement>(null);
  const { act } = snapshot.context;
  const before = useRef(act);
  useEffect(() => send({ type: "stands", possible }), [send, possible]);
  useEffect(() => {
    // The button that was pressed is gone with its form.
    if (before.current !== undefined && act === undefined) place.current?.focus();
    before.current = act;
  }, [act]);
  return (
    <div ref={place} className="settings__content" tabIndex={-1}>
      {act !== undefined && <ActForm act={act} onKeep={() => send({ type: "keep" })} />}
      {act === undefined && request !== undefined && (
        <Scheduled request={request} onWaive={() => send({ type: "ask", act: "waive" })} />
      )}
      {act === undefined && request === undefined && (
        <p>
          <Button onClick={() => send({ type: "ask", act: "delete" })}>{t("delete.begin")}</Button>
        </p>
      )}
    </div>
  );
}
