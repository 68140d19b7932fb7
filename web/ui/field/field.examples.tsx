import type { Example, ExampleText } from "../example.ts";
import { Field } from "./field.tsx";
import { Select } from "./select.tsx";

const email = (text: ExampleText): string => text("Email address", "כתובת דוא״ל");

export const examples: readonly Example[] = [
  {
    name: "with a hint",
    draw: (text) => (
      <Field
        id="example-hint"
        label={email(text)}
        hint={text("We write once a week.", "נכתוב פעם בשבוע.")}
      >
        {(control) => <input {...control} type="email" dir="ltr" autoComplete="off" />}
      </Field>
    ),
  },
  {
    name: "with an error",
    draw: (text) => (
      <Field
        id="example-error"
        label={email(text)}
        error={text("Please enter your email address", "נא להזין כתובת דוא״ל")}
      >
        {(control) => <input {...control} type="email" dir="ltr" autoComplete="off" />}
      </Field>
    ),
  },
  {
    name: "a choice",
    draw: (text) => (
      <Field id="example-choice" label={text("What is it about?", "במה מדובר?")}>
        {(control) => (
          <Select {...control}>
            <option>{text("Billing", "חיובים")}</option>
            <option>{text("Partnership", "שיתוף פעולה")}</option>
          </Select>
        )}
      </Field>
    ),
  },
  {
    name: "a longer text, disabled",
    draw: (text) => (
      <Field id="example-text" label={text("Message", "תוכן הפנייה")}>
        {(control) => <textarea {...control} dir="auto" rows={4} disabled />}
      </Field>
    ),
  },
];
