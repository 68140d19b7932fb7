import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { textIn } from "../form-machine.ts";
import { SubmissionForm, useFaultText } from "../submission-form.tsx";
import { BreachForm, instantIn, localTime } from "./breach-form.tsx";
import { type Breach, type Of, useBreachActs } from "./breach-queries.ts";

type Props = { breach: Breach };
type NoticeProps = Props & { of: Of; onDone: () => void };

/** Whether a notice is sent, and why; the decision can change until it is sent. */
function DecideForm({ breach, of, onDone }: NoticeProps) {
  const { t } = useTranslation("breaches");
  const { decide } = useBreachActs(breach);
  return (
    <SubmissionForm
      submission={{
        faultsIn: (data) => ({
          reason:
            textIn(data, "reason").trim() === ""
              ? ("breaches:errors.reasonRequired" as const)
              : undefined,
        }),
        send: async (data) => {
          const notify = textIn(data, "notify") === "yes";
          const refused = await decide(of, notify, textIn(data, "reason").trim());
          if (refused === undefined) onDone();
          return refused;
        },
      }}
      submit={t("act.decideSubmit")}
      sending={t("form.sending")}
      actions={<Button onClick={onDone}>{t("form.keep")}</Button>}
    >
      {(field) => (
        <>
          <Field {...field("notify")} label={t("act.notify")}>
            {(control) => (
              <div className="field__select">
                <select {...control} name="notify">
                  <option value="yes">{t("notice.to-send")}</option>
                  <option value="no">{t("notice.not-needed")}</option>
                </select>
              </div>
            )}
          </Field>
          <Field {...field("reason")} label={t("act.reason")} hint={t("form.sealed")}>
            {(control) => (
              <textarea {...control} name="reason" dir="auto" rows={3} maxLength={2000} />
            )}
          </Field>
        </>
      )}
    </SubmissionForm>
  );
}

/** That a notice was sent, and when. */
function SentForm({ breach, of, onDone }: NoticeProps) {
  const { t } = useTranslation("breaches");
  const { notified } = useBreachActs(breach);
  return (
    <SubmissionForm
      submission={{
        faultsIn: (data) => ({
          sentAt:
            instantIn(data, "sentAt") === undefined
              ? ("breaches:errors.discoveredRequired" as const)
              : undefined,
        }),
        send: async (data) => {
          const refused = await notified(of, instantIn(data, "sentAt") ?? "");
          if (refused === undefined) onDone();
          return refused;
        },
      }}
      submit={t("act.sentSubmit")}
      sending={t("form.sending")}
      actions={<Button onClick={onDone}>{t("form.keep")}</Button>}
    >
      {(field) => (
        <Field {...field("sentAt")} label={t("act.sentAt")}>
          {(control) => (
            <input
              {...control}
              name="sentAt"
              type="datetime-local"
              max={localTime(new Date())}
              defaultValue={localTime(new Date())}
            />
          )}
        </Field>
      )}
    </SubmissionForm>
  );
}

/** One of the two notices: what was decided about it, and what comes next. */
function NoticeActs({ breach, of }: Omit<NoticeProps, "onDone">) {
  const { t } = useTranslation("breaches");
  const [form, setForm] = useState<"decide" | "sent">();
  const state = breach[of];
  const reason = of === "authority" ? breach.authorityReason : breach.subjectsReason;
  const done = () => setForm(undefined);
  const title = `breach-${of}`;
  return (
    <section className="breach__notice" aria-labelledby={title}>
      <h3 id={title}>{t(`act.${of}`)}</h3>
      <p>{t(`notice.${state}`)}</p>
      {reason !== null && (
        <p className="privacy-queue__quiet breach__text">
          <bdi>{reason}</bdi>
        </p>
      )}
      {form === "decide" && <DecideForm breach={breach} of={of} onDone={done} />}
      {form === "sent" && <SentForm breach={breach} of={of} onDone={done} />}
      {form === undefined && state !== "sent" && breach.closedAt === null && (
        <div className="privacy-review__acts">
          {state === "to-send" && (
            <Button variant="solid" onClick={() => setForm("sent")}>
              {t("act.sent")} <span className="visually-hidden">{t(`act.${of}`)}</span>
            </Button>
          )}
          <Button onClick={() => setForm("decide")}>
            {t(state === "open" ? "act.decide" : "act.decideAgain")}{" "}
            <span className="visually-hidden">{t(`act.${of}`)}</span>
          </Button>
        </div>
      )}
    </section>
  );
}

const isSettled = (state: Breach[Of]): boolean => state === "sent" || state === "not-needed";

/** What an officer does about a breach: both notices, a correction, and its end. */
export function BreachActs({ breach }: Props) {
  const { t } = useTranslation("breaches");
  const [isCorrecting, setCorrecting] = useState(false);
  const { close } = useBreachActs(breach);
  const closing = useMutation({ mutationFn: close });
  const textOf = useFaultText();
  const fault = closing.isError ? ("failed" as const) : closing.data?.fault;
  if (isCorrecting) return <BreachForm breach={breach} onDone={() => setCorrecting(false)} />;
  const canClose = isSettled(breach.authority) && isSettled(breach.subjects);
  return (
    <section className="privacy-review__decide" aria-labelledby="breach-acts">
      <h2 id="breach-acts">{t("act.title")}</h2>
      <NoticeActs breach={breach} of="authority" />
      <NoticeActs breach={breach} of="subjects" />
      {breach.closedAt === null && (
        <div className="privacy-review__acts">
          <Button onClick={() => setCorrecting(true)}>{t("form.correctTitle")}</Button>
          {canClose && (
            <Button variant="solid" disabled={closing.isPending} onClick={() => closing.mutate()}>
              {t("act.close")}
            </Button>
          )}
        </div>
      )}
      <Notice kind="error">{fault !== undefined && textOf(fault)}</Notice>
    </section>
  );
}
