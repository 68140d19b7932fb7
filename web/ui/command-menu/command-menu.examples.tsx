import { useState } from "react";

import type { Example, ExampleText } from "../example.ts";
import { CommandMenu } from "./command-menu.tsx";

function Working({ text }: { text: ExampleText }) {
  const [ran, setRan] = useState("");
  return (
    <>
      <CommandMenu
        texts={{
          open: text("Search or go to", "חיפוש או מעבר"),
          title: text("Pages and actions", "עמודים ופעולות"),
          close: text("Close", "לסגור"),
          noMatch: text("Nothing has that name", "אין תוצאות בשם הזה"),
        }}
        groups={[
          {
            id: "pages",
            title: text("Pages", "עמודים"),
            commands: [
              { id: "links", text: text("Links", "קישורים") },
              { id: "applications", text: text("Applications", "מועמדויות") },
            ],
          },
          {
            id: "actions",
            title: text("Actions", "פעולות"),
            commands: [
              {
                id: "create",
                text: text("Create a link", "ליצור קישור"),
                keywords: text("new add", "חדש להוסיף"),
              },
            ],
          },
        ]}
        onRun={setRan}
      />
      <output>{ran}</output>
    </>
  );
}

export const examples: readonly Example[] = [
  { name: "finds pages and actions", draw: (text) => <Working text={text} /> },
];
