import { linkLimits as limit } from "@pro-talent/schemas/links/limits";
import { useTranslation } from "react-i18next";

import { Field } from "../../ui/field/field.tsx";
import { textIn } from "../form-machine.ts";
import type { FieldState } from "../submission-form.tsx";
import type { AccountFault } from "../submission.machine.ts";
import type { ShareLink } from "./link-queries.ts";

/** What is wrong with the name of a link. */
export const labelFault = (data: FormData): AccountFault | undefined =>
  textIn(data, "label").trim() === "" ? "links:errors.labelRequired" : undefined;

/** What is wrong with a password of a link; none is no fault. */
export function linkPasswordFault(data: FormData): AccountFault | undefined {
  const { length } = textIn(data, "password");
  const fits = length >= limit.passwordCharsMin && length <= limit.passwordCharsMax;
  return length === 0 || fits ? undefined : "links:errors.passwordShort";
}

type FieldsProps = { field: FieldState; link?: ShareLink };

export function LabelField({ field, link }: FieldsProps) {
  const { t } = useTranslation("links");
  return (
    <Field {...field("label")} label={t("fields.label")} hint={t("fields.labelHint")}>
      {(control) => (
        <input
          {...control}
          name="label"
          dir="auto"
          autoComplete="off"
          maxLength={limit.labelCharsMax}
          defaultValue={link?.label}
          aria-required
        />
      )}
    </Field>
  );
}

/** A note, which only the owner reads. */
export function NoteField({ field, link }: FieldsProps) {
  const { t } = useTranslation("links");
  return (
    <Field {...field("note")} label={t("fields.note")} hint={t("fields.noteHint")}>
      {(control) => (
        <textarea
          {...control}
          name="note"
          dir="auto"
          rows={2}
          maxLength={limit.noteCharsMax}
          defaultValue={link?.note}
        />
      )}
    </Field>
  );
}

/** The last day on which the link opens. */
export function ExpiryField({ field, day }: { field: FieldState; day?: string | undefined }) {
  const { t } = useTranslation("links");
  return (
    <Field {...field("expiresAt")} label={t("fields.expires")} hint={t("fields.expiresHint")}>
      {(control) => <input {...control} name="expiresAt" type="date" defaultValue={day} />}
    </Field>
  );
}

export function LinkPasswordField({ field, hint }: { field: FieldState; hint: string }) {
  const { t } = useTranslation("links");
  return (
    <Field {...field("password")} label={t("fields.password")} hint={hint}>
      {(control) => (
        <input
          {...control}
          name="password"
          type="text"
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limit.passwordCharsMax}
        />
      )}
    </Field>
  );
}
