import type { ReactNode } from "react";

import { FieldError } from "../field/field.tsx";

import "./checkbox.css";

type CheckboxProps = {
  id: string;
  name: string;
  value: string;
  required: boolean;
  defaultChecked?: boolean;
  error?: string | undefined;
  /** May contain links, which do not toggle the box. */
  children: ReactNode;
};

/** Uncontrolled: the browser holds the state. */
export function Checkbox(props: CheckboxProps) {
  const { id, name, value, required, defaultChecked = false, error, children } = props;
  return (
    <div className="checkbox">
      <input
        className="checkbox__box"
        type="checkbox"
        id={id}
        name={name}
        value={value}
        required={required}
        defaultChecked={defaultChecked}
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
