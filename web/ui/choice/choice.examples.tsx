import type { Example } from "../example.ts";
import { Choice } from "./choice.tsx";

export const examples: readonly Example[] = [
  {
    name: "one of two",
    draw: (word) => (
      <fieldset>
        <legend>{word("How often", "תדירות")}</legend>
        <Choice
          type="radio"
          id="example-weekly"
          name="example-frequency"
          value="weekly"
          label={word("Once a week", "פעם בשבוע")}
          hint={word("Every letter we write.", "כל המכתבים שלנו.")}
          defaultChecked
        />
        <Choice
          type="radio"
          id="example-monthly"
          name="example-frequency"
          value="monthly"
          label={word("Once a month", "פעם בחודש")}
        />
      </fieldset>
    ),
  },
  {
    name: "any of two",
    draw: (word) => (
      <fieldset>
        <legend>{word("What about", "נושאים")}</legend>
        <Choice
          type="checkbox"
          id="example-launch"
          name="example-topics"
          value="launch"
          label={word("The launch", "ההשקה")}
          defaultChecked
        />
        <Choice
          type="checkbox"
          id="example-features"
          name="example-topics"
          value="features"
          label={word("New features", "אפשרויות חדשות")}
        />
      </fieldset>
    ),
  },
];
