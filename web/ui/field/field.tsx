import type { ReactNode } from "react";

import "./field.css";

/** What an input, textarea or select takes over from its field. */
export type ControlProps = {
  id: string;
  className: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type FieldProps = {
  id: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children: (control: ControlProps) => ReactNode;
};

/** A label and what belongs to it: a hint that helps, and what is wrong with what was entered. */
export function Field({ id, label, hint, error, children }: FieldProps) {
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ];
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      {hint !== undefined && (
        <div className="field__hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {children({
        id,
        className: "field__control",
        "aria-describedby": described.length === 0 ? undefined : described.join(" "),
        "aria-invalid": error === undefined ? undefined : true,
      })}
      <FieldError id={id} error={error} />
    </div>
  );
}

/** The error of a field, found by the field through the id `<id>-error`. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <div className="field__error" id={`${id}-error`}>
      {error}
    </div>
  );
}
