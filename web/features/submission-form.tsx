import { type ReactNode, type RefObject, useCallback, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../ui/button/button.tsx";
import { ErrorSummary } from "../ui/error-summary/error-summary.tsx";
import { Notice } from "../ui/notice/notice.tsx";
import { useFormMachine } from "./form-machine.ts";
import {
  type AccountFault,
  createSubmissionActor,
  type Faults,
  hasFaults,
  isOfPage,
  type Submission,
} from "./submission.machine.ts";
import { useErrorTitle } from "./use-error-title.ts";

import "./submission-form.css";

type Snapshot = ReturnType<ReturnType<typeof createSubmissionActor>["getSnapshot"]>;

/** The id of a field's control and its error text. */
export type FieldState = (name: string) => { id: string; error: string | undefined };

type ShownProps = {
  prefix: string;
  faults: Faults;
  refusals: number;
  trouble: AccountFault | undefined;
};

/** The text of a fault. */
export function useFaultText() {
  const { t } = useTranslation([
    "account",
    "applications",
    "breaches",
    "links",
    "account-api",
    "account-entry",
    "account-privacy",
    "account-profile",
    "account-security",
    "privacy-console",
  ]);
  return (fault: AccountFault) => (isOfPage(fault) ? t(fault) : t(`errors.${fault}`));
}

/** The errors of the fields, or of the form as a whole; what is shown last has focus. */
export function Faultfinding({ prefix, faults, refusals, trouble }: ShownProps) {
  const { t } = useTranslation("account");
  const textOf = useFaultText();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trouble !== undefined) notice.current?.focus();
  }, [trouble, refusals]);
  useErrorTitle(hasFaults(faults) || trouble !== undefined);
  const items = Object.entries(faults).flatMap(([field, fault]) =>
    fault === undefined ? [] : [{ fieldId: `${prefix}-${field}`, text: textOf(fault) }],
  );
  return (
    <>
      <ErrorSummary title={t("form.problem")} items={items} refusals={refusals} />
      <Notice kind="error" ref={notice}>
        {trouble !== undefined && textOf(trouble)}
      </Notice>
    </>
  );
}

/** Ids and error texts of the fields of a form. */
export function useFieldState(prefix: string, faults: Faults): FieldState {
  const textOf = useFaultText();
  return (name) => {
    const fault = faults[name];
    return { id: `${prefix}-${name}`, error: fault && textOf(fault) };
  };
}

/** The machine is opened once; what it checks and sends is that of the last rendering. */
function useSubmissionActor(submission: Submission) {
  const latest = useRef(submission);
  useEffect(() => {
    latest.current = submission;
  });
  return useCallback(
    async () =>
      createSubmissionActor({
        faultsIn: (data) => latest.current.faultsIn(data),
        send: (data) => latest.current.send(data),
      }),
    [],
  );
}

type SubmissionFormProps = {
  submission: Submission;
  submit: string;
  sending: string;
  /** Shown when the form was accepted; then the fields are empty again. */
  done?: ReactNode;
  variant?: "solid" | "outline";
  form?: RefObject<HTMLFormElement | null>;
  /** At each change of a value. */
  onChange?: (form: HTMLFormElement) => void;
  /** Beside the button. */
  actions?: ReactNode;
  children: (field: FieldState) => ReactNode;
};

/** A form of the account: its fields, what was wrong with them, and whether it was accepted. */
export function SubmissionForm(props: SubmissionFormProps) {
  const { submission, submit, sending, done, variant = "solid", onChange, actions } = props;
  const prefix = useId();
  const open = useSubmissionActor(submission);
  const { snapshot, waiting, events } = useFormMachine<Snapshot>(open);
  const own = useRef<HTMLFormElement>(null);
  const form = props.form ?? own;
  const notice = useRef<HTMLDivElement>(null);
  const { faults = {}, refusals = 0, trouble } = snapshot?.context ?? {};
  const field = useFieldState(prefix, faults);
  const busy = waiting || snapshot?.value === "sending";
  const accepted = snapshot?.value === "accepted" && done !== undefined;
  useEffect(() => {
    if (!accepted) return;
    form.current?.reset();
    notice.current?.focus();
  }, [accepted, form]);
  return (
    <form
      ref={form}
      className="submission"
      method="post"
      noValidate
      aria-busy={busy}
      {...events}
      onInput={(event) => {
        events.onInput(event);
        onChange?.(event.currentTarget);
      }}
    >
      <Faultfinding prefix={prefix} faults={faults} refusals={refusals} trouble={trouble} />
      <Notice kind="success" ref={notice}>
        {accepted && done}
      </Notice>
      <fieldset className="submission__fields" disabled={busy}>
        {props.children(field)}
        <div className="submission__actions">
          <Button type="submit" variant={variant}>
            {busy ? sending : submit}
          </Button>
          {actions}
        </div>
      </fieldset>
    </form>
  );
}
