import type { Example, Word } from "../example.ts";
import { Icon } from "../icon/icon.tsx";
import { Field } from "./field.tsx";

const email = (word: Word): string => word("Email address", "כתובת דוא״ל");

export const examples: readonly Example[] = [
  {
    name: "with a hint",
    draw: (word) => (
      <Field
        id="example-hint"
        label={email(word)}
        hint={word("We write once a week.", "נכתוב פעם בשבוע.")}
      >
        {(control) => <input {...control} type="email" dir="ltr" autoComplete="off" />}
      </Field>
    ),
  },
  {
    name: "with an error",
    draw: (word) => (
      <Field
        id="example-error"
        label={email(word)}
        error={word("Please enter your email address", "נא להזין כתובת דוא״ל")}
      >
        {(control) => <input {...control} type="email" dir="ltr" autoComplete="off" />}
      </Field>
    ),
  },
  {
    name: "a choice",
    draw: (word) => (
      <Field id="example-choice" label={word("What is it about?", "במה מדובר?")}>
        {(control) => (
          <div className="field__select">
            <select {...control}>
              <option>{word("Billing", "חיובים")}</option>
              <option>{word("Partnership", "שיתוף פעולה")}</option>
            </select>
            <Icon name="expand" />
          </div>
        )}
      </Field>
    ),
  },
  {
    name: "a longer text, disabled",
    draw: (word) => (
      <Field id="example-text" label={word("Message", "תוכן הפנייה")}>
        {(control) => <textarea {...control} dir="auto" rows={4} disabled />}
      </Field>
    ),
  },
];
