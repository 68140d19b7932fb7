import type { ReactNode } from "react";

import "./field.css";

/** Props of an input, textarea or select in the field. */
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

/** A label with control, hint and error. */
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

/** The control refers to it by the id `<id>-error`. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <div className="field__error" id={`${id}-error`}>
      {error}
    </div>
  );
}
