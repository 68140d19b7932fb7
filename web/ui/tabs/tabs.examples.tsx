import { useState } from "react";

import type { Example, ExampleText } from "../example.ts";
import { Tabs } from "./tabs.tsx";

function Working({ text }: { text: ExampleText }) {
  const [selected, setSelected] = useState("opens");
  return (
    <Tabs
      label={text("Views of this link", "תצוגות של הקישור")}
      selected={selected}
      onSelect={setSelected}
      items={[
        {
          id: "opens",
          title: text("Opens", "פתיחות"),
          content: <p>{text("Opened twice.", "נפתח פעמיים.")}</p>,
        },
        {
          id: "places",
          title: text("Places", "מקומות"),
          content: <p>{text("Israel and Germany.", "ישראל וגרמניה.")}</p>,
        },
        {
          id: "excluded",
          title: text("Not counted", "לא נספרו"),
          content: <p>{text("Three bots.", "שלושה בוטים.")}</p>,
        },
      ]}
    />
  );
}

export const examples: readonly Example[] = [
  { name: "three views", draw: (text) => <Working text={text} /> },
];
