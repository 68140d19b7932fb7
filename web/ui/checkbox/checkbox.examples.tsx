import type { Example } from "../example.ts";
import { Checkbox } from "./checkbox.tsx";

export const examples: readonly Example[] = [
  {
    name: "to tick",
    draw: (text) => (
      <Checkbox id="example-tick" name="example" value="yes" required={false}>
        {text("I accept the terms.", "התנאים מקובלים עליי.")}
      </Checkbox>
    ),
  },
  {
    name: "with an error",
    draw: (text) => (
      <Checkbox
        id="example-tick-error"
        name="example"
        value="yes"
        required={false}
        error={text("Please accept the terms", "נא לאשר את התנאים")}
      >
        {text("I accept the terms.", "התנאים מקובלים עליי.")}
      </Checkbox>
    ),
  },
];
