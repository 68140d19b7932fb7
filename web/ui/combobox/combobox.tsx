import { lazy, Suspense, useId } from "react";

import { Field } from "../field/field.tsx";
import type { ComboboxProps } from "./combobox-field.tsx";

const ComboboxField = lazy(async () => ({
  default: (await import("./combobox-field.tsx")).ComboboxField,
}));

/**
 * One of many options, found by typing a part of it. Its code is a chunk of its own; until it has
 * arrived a field of the same size is shown. For fewer than about ten options use a native select.
 */
export function Combobox(props: ComboboxProps) {
  const id = useId();
  const { label, hint, error } = props;
  const waiting = (
    <Field id={id} label={label} hint={hint} error={error}>
      {(control) => <input {...control} disabled />}
    </Field>
  );
  return (
    <Suspense fallback={waiting}>
      <ComboboxField {...props} />
    </Suspense>
  );
}
