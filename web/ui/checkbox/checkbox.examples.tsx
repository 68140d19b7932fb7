import type { Example } from "../example.ts";
import { Checkbox } from "./checkbox.tsx";

export const examples: readonly Example[] = [
  {
    name: "to tick",
    draw: (word) => (
      <Checkbox id="example-tick" name="example" value="yes" required={false}>
        {word("I accept the terms.", "התנאים מקובלים עליי.")}
      </Checkbox>
    ),
  },
  {
    name: "with an error",
    draw: (word) => (
      <Checkbox
        id="example-tick-error"
        name="example"
        value="yes"
        required={false}
        error={word("Please accept the terms", "נא לאשר את התנאים")}
      >
        {word("I accept the terms.", "התנאים מקובלים עליי.")}
      </Checkbox>
    ),
  },
];
