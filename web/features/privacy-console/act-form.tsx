import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { SubmissionForm } from "../submission-form.tsx";
import type { Submission } from "../submission.machine.ts";
import type { Reviewed } from "./console-queries.ts";
import type { DecisionFault } from "./decide.ts";

export type FormProps = { request: Reviewed; onDone: () => void };
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
export function ActForm({
  title,
  submit,
  sending,
  send,
  faultsIn,
  onDone,
  children,
}: ActFormProps) {
  const { t } = useTranslation("privacy-console");
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => place.current?.focus(), []);
  const submission: Submission = {
    faultsIn: faultsIn ?? (() => ({})),
    send: async (data) => {
      /** Why a decision was refused, as a form shows it. */
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

/** Why a decision was refused, as a form shows it. */
export const refused = (fault: DecisionFault | undefined) =>
  fault && ({ fault: `privacy-console:errors.${fault}` } as const);

export type FieldOf = Parameters<ActFormProps["children"]>[0];
type ChoiceProps = {
  field: ReturnType<FieldOf>;
  name: string;
  label: string;
  hint?: string;
  options: readonly { value: string; text: string }[];
  chosen?: string;
};

/** One of a closed list. */
export function Choice({ field, name, options, chosen, ...texts }: ChoiceProps) {
  return (
    <Field {...field} {...texts}>
      {(control) => (
        <Select {...control} name={name} defaultValue={chosen}>
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
