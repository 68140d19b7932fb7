import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import type { CallName, CallResult } from "../../api-client/request.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { textIn } from "../form-machine.ts";
import { SubmissionForm } from "../submission-form.tsx";
import type { AccountFault, Submission } from "../submission.machine.ts";
import { consoleKey, type Reviewed } from "./console-queries.ts";

type Props = { request: Reviewed };

const faultOfCode: Readonly<Record<string, AccountFault>> = {
  version_conflict: "privacy-console:errors.changed",
  assigned_elsewhere: "privacy-console:errors.elsewhere",
  not_assigned: "privacy-console:errors.notAssigned",
  own_request: "privacy-console:errors.own",
  values_changed: "privacy-console:errors.valuesChanged",
  not_possible_now: "privacy-console:errors.notPossible",
  step_up_required: "notConfirmed",
};

/**
 * Makes decisions on the version that is shown. After each, also a refused one, the request is loaded
 * anew: another officer may have changed it.
 */
export function useDecide({ requestId, version, correction }: Reviewed) {
  const cache = useQueryClient();
  const { call } = accountApi();
  const params = { requestId };
  const outcomeOf = async <Name extends CallName>(
    calling: Promise<CallResult<Name>>,
  ): Promise<AccountFault | undefined> => {
    const result = await calling;
    await cache.invalidateQueries({ queryKey: consoleKey });
    return result.ok
      ? undefined
      : (faultOfCode[result.code ?? ""] ?? "privacy-console:errors.failed");
  };
  const base = "/api/console/privacy/requests/:requestId" as const;
  const simple = (act: "claim" | "release" | "retry") =>
    outcomeOf(call(`POST ${base}/${act}`, { params, body: { version } }));
  return {
    claim: () => simple("claim"),
    release: () => simple("release"),
    retry: () => simple("retry"),
    approve: () => {
      const held = correction?.held;
      return outcomeOf(
        call(`POST ${base}/approve`, { params, body: { version, ...(held && { held }) } }),
      );
    },
    deny: (reason: Reason) =>
      outcomeOf(call(`POST ${base}/deny`, { params, body: { version, reason } })),
    extend: (law: Law) =>
      outcomeOf(call(`POST ${base}/extend`, { params, body: { version, law } })),
    hold: (law: string, reviewAt: string) =>
      outcomeOf(call(`POST ${base}/hold`, { params, body: { version, law, reviewAt } })),
    releaseHold: (holdId: string) =>
      outcomeOf(
        call(`POST ${base}/holds/:holdId/release`, {
          params: { ...params, holdId },
          body: { version },
        }),
      ),
  };
}

const reasons = [
  "insufficient-verification",
  "no-match",
  "claim-not-covered",
  "outside-jurisdiction",
  "too-many-requests",
  "suspected-fraud",
  "other",
] as const;
type Reason = (typeof reasons)[number];
const laws = ["gdpr", "ccpa"] as const;
type Law = (typeof laws)[number];

type FormProps = Props & { onDone: () => void };
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

const refused = (fault: AccountFault | undefined) => fault && { fault };

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
          <Field
            {...field("review")}
            label={t("decide.holdReview")}
            hint={t("decide.holdReviewHint")}
          >
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
        </>
      )}
    </ActForm>
  );
}

/** The forms of decisions that need a word with them. */
export const decisionForms = { deny: DenyForm, extend: ExtendForm, hold: HoldForm } as const;
export type DecisionForm = keyof typeof decisionForms;
