import { useState } from "react";

import type { Example, ExampleText } from "../example.ts";
import { CommandMenu } from "./command-menu.tsx";
import { CommandPanel } from "./command-panel.tsx";

function Working({ text }: { text: ExampleText }) {
  const [ran, setRan] = useState("");
  return (
    <>
      <CommandMenu
        label={text("Search or go to", "חיפוש או מעבר")}
        onPrepare={() => undefined}
        renderPanel={(close) => (
          <CommandPanel
            texts={{
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
            onClose={close}
            onRun={(id) => {
              close();
              setRan(id);
            }}
          />
        )}
      />
      <output>{ran}</output>
    </>
  );
}

export const examples: readonly Example[] = [
  { name: "finds pages and actions", draw: (text) => <Working text={text} /> },
];
