import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { textIn } from "../form-machine.ts";
import { SubmissionForm } from "../submission-form.tsx";
import type { Submission } from "../submission.machine.ts";
import type { Reviewed } from "./console-queries.ts";
import { checks, type DecisionFault, holdReasons, laws, reasons, useDecide } from "./decide.ts";

type FormProps = { request: Reviewed; onDone: () => void };
type ActFormProps = {
  title: string;
  submit: string;
  sending: string;
  send: Submission["send"];
  faultsIn?: Submission["faultsIn"];
  onDone: () => void;
  children: Parameters<typeof SubmissionForm>[0]["children"];
};

/** A form of one decision; its title has focus when it opens. */
function ActForm({ title, submit, sending, send, faultsIn, onDone, children }: ActFormProps) {
  const { t } = useTranslation("privacy-console");
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => place.current?.focus(), []);
  const submission: Submission = {
    faultsIn: faultsIn ?? (() => ({})),
    send: async (data) => {
      const refused = await send(data);
      if (refused === undefined) onDone();
      return refused;
    },
  };
  return (
    <SubmissionForm
      submission={submission}
      submit={submit}
      sending={sending}
      actions={<Button onClick={onDone}>{t("decide.keep")}</Button>}
    >
      {(field) => (
        <>
          <h3 ref={place} tabIndex={-1}>
            {title}
          </h3>
          {children(field)}
        </>
      )}
    </SubmissionForm>
  );
}

const refused = (fault: DecisionFault | undefined) =>
  fault && ({ fault: `privacy-console:errors.${fault}` } as const);

function DenyForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { deny } = useDecide(request);
  return (
    <ActForm
      title={t("decide.denyTitle")}
      submit={t("decide.denySubmit")}
      sending={t("decide.denying")}
      send={async (data) => {
        const chosen = reasons.find((reason) => reason === textIn(data, "reason"));
        return refused(await deny(chosen ?? "other"));
      }}
      onDone={onDone}
    >
      {(field) => (
        <Field {...field("reason")} label={t("decide.reason")} hint={t("decide.denyFraud")}>
          {(control) => (
            <div className="field__select">
              <select {...control} name="reason" defaultValue="no-match">
                {reasons.map((reason) => (
                  <option key={reason} value={reason}>
                    {t(`decide.reasons.${reason}`)}
                  </option>
                ))}
              </select>
            </div>
          )}
        </Field>
      )}
    </ActForm>
  );
}

/** What an officer has seen or done beside the mailed code. */
function CheckForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { check } = useDecide(request);
  return (
    <ActForm
      title={t("form.record")}
      submit={t("form.recordSubmit")}
      sending={t("form.recording")}
      send={async (data) => {
        const chosen = checks.find((one) => one === textIn(data, "check"));
        return refused(await check(chosen ?? "account-details"));
      }}
      onDone={onDone}
    >
      {(field) => (
        <Field {...field("check")} label={t("form.check")} hint={t("form.checkHint")}>
          {(control) => (
            <div className="field__select">
              <select {...control} name="check">
                {checks.map((one) => (
                  <option key={one} value={one}>
                    {t(`form.checks.${one}`)}
                  </option>
                ))}
              </select>
            </div>
          )}
        </Field>
      )}
    </ActForm>
  );
}

function ExtendForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { extend } = useDecide(request);
  return (
    <ActForm
      title={t("decide.extendTitle")}
      submit={t("decide.extendSubmit")}
      sending={t("decide.extending")}
      send={async (data) => refused(await extend(textIn(data, "law") === "ccpa" ? "ccpa" : "gdpr"))}
      onDone={onDone}
    >
      {(field) => (
        <>
          <p>{t("decide.extendBody")}</p>
          <Field {...field("law")} label={t("decide.law")}>
            {(control) => (
              <div className="field__select">
                <select {...control} name="law">
                  {laws.map((law) => (
                    <option key={law} value={law}>
                      {t(`decide.laws.${law}`)}
                    </option>
                  ))}
                </select>
              </div>
            )}
          </Field>
        </>
      )}
    </ActForm>
  );
}

const dayMs = 24 * 60 * 60_000;
const reviewDays = 90;
const dayAfter = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

type FieldOf = Parameters<ActFormProps["children"]>[0];
type DayProps = { field: ReturnType<FieldOf>; earliest: string; latest: string };

/** The day of the next review, 90 days from now at most. */
function ReviewDay({ field, earliest, latest }: DayProps) {
  const { t } = useTranslation("privacy-console");
  return (
    <Field {...field} label={t("decide.holdReview")} hint={t("decide.holdReviewHint")}>
      {(control) => (
        <input
          {...control}
          name="review"
          type="date"
          min={earliest}
          max={latest}
          defaultValue={latest}
          aria-required
        />
      )}
    </Field>
  );
}

function HoldForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { hold } = useDecide(request);
  const [earliest, latest] = [dayAfter(1), dayAfter(reviewDays)];
  const faultsIn = (data: FormData) => {
    const day = textIn(data, "review");
    return {
      law: textIn(data, "law").trim() === "" ? "privacy-console:errors.lawRequired" : undefined,
      review: day < earliest || day > latest ? "privacy-console:errors.reviewRequired" : undefined,
    } as const;
  };
  return (
    <ActForm
      title={t("decide.holdTitle")}
      submit={t("decide.holdSubmit")}
      sending={t("decide.holding")}
      faultsIn={faultsIn}
      send={async (data) => {
        const reviewAt = `${textIn(data, "review")}T00:00:00.000Z`;
        return refused(await hold(textIn(data, "law").trim(), reviewAt));
      }}
      onDone={onDone}
    >
      {(field) => (
        <>
          <p>{t("decide.holdBody")}</p>
          <Field {...field("law")} label={t("decide.holdLaw")} hint={t("decide.holdLawHint")}>
            {(control) => (
              <input {...control} name="law" dir="auto" maxLength={120} aria-required />
            )}
          </Field>
          <ReviewDay field={field("review")} earliest={earliest} latest={latest} />
        </>
      )}
    </ActForm>
  );
}

/** A hold goes on: one of the four reasons, and the day of its next review. */
function ReviewForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { reviewHold } = useDecide(request);
  const [earliest, latest] = [dayAfter(1), dayAfter(reviewDays)];
  return (
    <ActForm
      title={t("holds.prolongTitle")}
      submit={t("holds.prolongSubmit")}
      sending={t("holds.prolonging")}
      faultsIn={(data) => {
        const day = textIn(data, "review");
        const isInTime = day >= earliest && day <= latest;
        return { review: isInTime ? undefined : "privacy-console:errors.reviewRequired" } as const;
      }}
      send={async (data) => {
        const reason = holdReasons.find((one) => one === textIn(data, "reason"));
        const reviewAt = `${textIn(data, "review")}T00:00:00.000Z`;
        return refused(await reviewHold(textIn(data, "hold"), reason ?? "proceedings", reviewAt));
      }}
      onDone={onDone}
    >
      {(field) => (
        <>
          <Field {...field("hold")} label={t("holds.which")}>
            {(control) => (
              <div className="field__select">
                <select {...control} name="hold">
                  {request.holds.map(({ holdId, law }) => (
                    <option key={holdId} value={holdId}>
                      {law}
                    </option>
                  ))}
                </select>
              </div>
            )}
          </Field>
          <Field {...field("reason")} label={t("decide.reason")}>
            {(control) => (
              <div className="field__select">
                <select {...control} name="reason">
                  {holdReasons.map((reason) => (
                    <option key={reason} value={reason}>
                      {t(`holds.reasons.${reason}`)}
                    </option>
                  ))}
                </select>
              </div>
            )}
          </Field>
          <ReviewDay field={field("review")} earliest={earliest} latest={latest} />
        </>
      )}
    </ActForm>
  );
}

const forms = {
  check: CheckForm,
  deny: DenyForm,
  extend: ExtendForm,
  hold: HoldForm,
  review: ReviewForm,
} as const;

/** The form of a decision that needs a word with it. */
export function DecisionForm({ kind, ...props }: FormProps & { kind: keyof typeof forms }) {
  const Form = forms[kind];
  return <Form {...props} />;
}
