import type { Example } from "../example.ts";
import { Choice } from "./choice.tsx";

export const examples: readonly Example[] = [
  {
    name: "one of two",
    draw: (text) => (
      <fieldset>
        <legend>{text("How often", "תדירות")}</legend>
        <Choice
          type="radio"
          id="example-weekly"
          name="example-frequency"
          value="weekly"
          label={text("Once a week", "פעם בשבוע")}
          hint={text("Every issue.", "כל המכתבים שלנו.")}
          defaultChecked
        />
        <Choice
          type="radio"
          id="example-monthly"
          name="example-frequency"
          value="monthly"
          label={text("Once a month", "פעם בחודש")}
        />
      </fieldset>
    ),
  },
  {
    name: "any of two",
    draw: (text) => (
      <fieldset>
        <legend>{text("What about", "נושאים")}</legend>
        <Choice
          type="checkbox"
          id="example-launch"
          name="example-topics"
          value="launch"
          label={text("The launch", "ההשקה")}
          defaultChecked
        />
        <Choice
          type="checkbox"
          id="example-features"
          name="example-topics"
          value="features"
          label={text("New features", "אפשרויות חדשות")}
        />
      </fieldset>
    ),
  },
];
