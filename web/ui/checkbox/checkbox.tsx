import type { ReactNode } from "react";

import { FieldError } from "../field/field.tsx";

import "./checkbox.css";

type CheckboxProps = {
  id: string;
  name: string;
  value: string;
  required: boolean;
  error?: string | undefined;
  /** May hold links; they lead on instead of ticking the box. */
  children: ReactNode;
};

/** A box to tick. The browser keeps its state until somebody asks the form. */
export function Checkbox({ id, name, value, required, error, children }: CheckboxProps) {
  return (
    <div className="checkbox">
      <input
        className="checkbox__box"
        type="checkbox"
        id={id}
        name={name}
        value={value}
        required={required}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        aria-invalid={error === undefined ? undefined : true}
      />
      <label className="checkbox__label" htmlFor={id}>
        {children}
      </label>
      <FieldError id={id} error={error} />
    </div>
  );
}
