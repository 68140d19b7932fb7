import type { Example } from "../example.ts";
import { Field } from "../field/field.tsx";
import { ErrorSummary } from "./error-summary.tsx";

export const examples: readonly Example[] = [
  {
    name: "above a form: each error leads to its field",
    draw: (text) => {
      const error = text("Enter a title", "נא להזין כותרת");
      return (
        <form noValidate>
          <ErrorSummary
            title={text("There is a problem", "יש בעיה")}
            items={[{ fieldId: "example-summary", text: error }]}
            refusals={0}
          />
          <Field id="example-summary" label={text("Title", "כותרת")} error={error}>
            {(control) => <input {...control} dir="auto" autoComplete="off" />}
          </Field>
        </form>
      );
    },
  },
];
