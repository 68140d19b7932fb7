import { useState } from "react";

import type { Example, ExampleText } from "../example.ts";
import { Combobox } from "./combobox.tsx";

function Working({ text, error }: { text: ExampleText; error?: string }) {
  const [selected, setSelected] = useState<string>();
  return (
    <Combobox
      label={text("Country", "מדינה")}
      hint={text("Type a part of its name.", "אפשר להקליד חלק מהשם.")}
      error={error}
      options={[
        { id: "IL", text: text("Israel", "ישראל") },
        { id: "DE", text: text("Germany", "גרמניה") },
        { id: "US", text: text("United States", "ארצות הברית") },
        { id: "GB", text: text("United Kingdom", "הממלכה המאוחדת") },
      ]}
      selected={selected}
      onSelect={setSelected}
      texts={{
        show: text("Show all countries", "להציג את כל המדינות"),
        noMatch: text("No country matches", "אין מדינה מתאימה"),
      }}
    />
  );
}

export const examples: readonly Example[] = [
  { name: "one of many", draw: (text) => <Working text={text} /> },
  {
    name: "with an error",
    draw: (text) => <Working text={text} error={text("Choose a country", "נא לבחור מדינה")} />,
  },
];
