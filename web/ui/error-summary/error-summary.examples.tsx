import type { Example } from "../example.ts";
import { ErrorSummary } from "./error-summary.tsx";

export const examples: readonly Example[] = [
  {
    name: "two errors",
    draw: (text) => (
      <ErrorSummary
        title={text("The message is not complete yet", "הפנייה עדיין לא שלמה")}
        items={[
          { fieldId: "example-name", text: text("Please enter your name", "נא להזין שם") },
          {
            fieldId: "example-email",
            text: text("Please enter your email address", "נא להזין כתובת דוא״ל"),
          },
        ]}
        refusals={0}
      />
    ),
  },
];
