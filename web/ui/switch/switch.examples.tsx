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
    draw: (word) => (
      <Working
        name={word("Analytics", "אנליטיקה")}
        body={word("Records your visit in detail.", "מתעדת את הביקור בפירוט.")}
      />
    ),
  },
  {
    name: "always on",
    draw: (word) => (
      <Switch
        name={word("Essential", "חיוני")}
        body={word("The site cannot work without it.", "האתר לא יכול לפעול בלעדיו.")}
        checked
        disabled
        onToggle={() => undefined}
      />
    ),
  },
];
