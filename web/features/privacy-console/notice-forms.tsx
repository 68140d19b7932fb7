import { breachLimits } from "@pro-talent/schemas/breaches/kinds";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { textIn } from "../form-machine.ts";
import { SubmissionForm } from "../submission-form.tsx";
import { type Breach, type Of, useBreachActs } from "./breach-queries.ts";
import { instantIn, localTime } from "./breach-times.ts";

type NoticeProps = { breach: Breach; of: Of; onDone: () => void };

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
              <Select {...control} name="notify">
                <option value="yes">{t("notice.to-send")}</option>
                <option value="no">{t("notice.not-needed")}</option>
              </Select>
            )}
          </Field>
          <Field {...field("reason")} label={t("act.reason")} hint={t("form.sealed")}>
            {(control) => (
              <textarea
                {...control}
                name="reason"
                dir="auto"
                rows={3}
                maxLength={breachLimits.reasonCharsMax}
              />
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
              max={localTime()}
              defaultValue={localTime()}
            />
          )}
        </Field>
      )}
    </SubmissionForm>
  );
}

const forms = { decide: DecideForm, sent: SentForm } as const;

/** The form of an act on one of the two notices. */
export function NoticeForm({ kind, ...props }: NoticeProps & { kind: keyof typeof forms }) {
  const Form = forms[kind];
  return <Form {...props} />;
}
