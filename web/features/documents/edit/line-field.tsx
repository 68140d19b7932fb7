import { cleanLine } from "@pro-talent/schemas/studio/clean-text";
import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { type ComponentProps, type ReactNode, useState } from "react";

import { Field } from "../../../ui/field/field.tsx";
import { useAdviceAt } from "./advice-store.ts";
import { idOf, useEditing } from "./editing.ts";
import { put } from "./edits.ts";

/**
 * What is shown while it is typed: the typed characters as long as they mean the value, otherwise the value, which
 * another tab or an undo has changed.
 */
export function useTyped<Value>(
  value: Value,
  meaning: (typed: string) => Value,
  write: (value: Value) => string,
) {
  const [typed, setTyped] = useState(() => write(value));
  const isMeant = JSON.stringify(meaning(typed)) === JSON.stringify(value);
  return [isMeant ? typed : write(value), setTyped] as const;
}

/** What is said at a field; it is named as the description of its control. */
export function Advice({ path }: { path: string }) {
  const { advice } = useEditing();
  const text = useAdviceAt(advice, path);
  return (
    text !== undefined && (
      <p className="cv-advice" id={`${idOf(path)}-advice`}>
        {text}
      </p>
    )
  );
}

/** The ids that describe the control of a path. */
export function useDescription(path: string): string | undefined {
  const { advice } = useEditing();
  return useAdviceAt(advice, path) === undefined ? undefined : `${idOf(path)}-advice`;
}

type LineFieldProps = {
  path: string;
  label: string;
  value: string;
  hint?: string | undefined;
  /** Direction and kind of what is typed. */
  input?: Pick<ComponentProps<"input">, "type" | "dir" | "autoComplete" | "maxLength">;
};

/** One line of text. */
export function LineField({ path, label, value, hint, input }: LineFieldProps): ReactNode {
  const { edit, language } = useEditing();
  const described = useDescription(path);
  const [shown, setTyped] = useTyped(value, cleanLine, (text) => text);
  return (
    <div className="cv-field">
      <Field id={idOf(path)} label={label} hint={hint}>
        {(control) => (
          <input
            {...control}
            aria-describedby={
              [control["aria-describedby"], described].filter(Boolean).join(" ") || undefined
            }
            dir="auto"
            lang={input?.dir === "ltr" ? undefined : language}
            autoComplete="off"
            maxLength={cvLimits.lineCharsMax}
            {...input}
            value={shown}
            onChange={({ target }) => {
              setTyped(target.value);
              edit(put(path, cleanLine(target.value)));
            }}
          />
        )}
      </Field>
      <Advice path={path} />
    </div>
  );
}

const separator = (items: readonly string[]): string =>
  items.some((item) => item.includes(",")) ? "; " : ", ";
const itemsIn = (typed: string): string[] =>
  typed
    .split(typed.includes(";") ? ";" : ",")
    .map(cleanLine)
    .filter((item) => item !== "")
    .map((item) => item.slice(0, cvLimits.lineCharsMax))
    .slice(0, cvLimits.skillsMax);

type ItemsFieldProps = { path: string; label: string; hint: string; items: readonly string[] };

/** A list of short texts with commas between them. */
export function ItemsField({ path, label, hint, items }: ItemsFieldProps) {
  const { edit, language } = useEditing();
  const [shown, setTyped] = useTyped<readonly string[]>(items, itemsIn, (all) =>
    all.join(separator(all)),
  );
  return (
    <Field id={idOf(path)} label={label} hint={hint}>
      {(control) => (
        <textarea
          {...control}
          className="field__control cv-items"
          dir="auto"
          lang={language}
          rows={2}
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value);
            edit(put(path, itemsIn(target.value)));
          }}
        />
      )}
    </Field>
  );
}
