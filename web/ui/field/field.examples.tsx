import type { Example, ExampleText } from "../example.ts";
import { Icon } from "../icon/icon.tsx";
import { Field } from "./field.tsx";

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
          <div className="field__select">
            <select {...control}>
              <option>{text("Billing", "חיובים")}</option>
              <option>{text("Partnership", "שיתוף פעולה")}</option>
            </select>
            <Icon name="expand" />
          </div>
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
