import { useState } from "react";

import type { Example } from "../example.ts";
import { Switch } from "./switch.tsx";

function Working({ name, body }: { name: string; body: string }) {
  const [checked, setChecked] = useState(false);
  return <Switch name={name} body={body} checked={checked} onToggle={() => setChecked(!checked)} />;
}

export const examples: readonly Example[] = [
  {
    name: "off or on",
    draw: (text) => (
      <Working
        name={text("Analytics", "אנליטיקה")}
        body={text("Records your visit in detail.", "מתעדת את הביקור בפירוט.")}
      />
    ),
  },
  {
    name: "always on",
    draw: (text) => (
      <Switch
        name={text("Essential", "חיוני")}
        body={text("Remembers your language and theme.", "זוכר את השפה ואת ערכת הצבעים.")}
        checked
        disabled
        onToggle={() => undefined}
      />
    ),
  },
];
