import { Button } from "../button/button.tsx";
import type { Example } from "../example.ts";
import { Tooltip } from "./tooltip.tsx";

export const examples: readonly Example[] = [
  {
    name: "on a button",
    draw: (text) => (
      <Tooltip text={text("Probably a mail scanner, not a person", "כנראה סורק דוא״ל ולא אדם")}>
        <Button variant="text">{text("In doubt", "בספק")}</Button>
      </Tooltip>
    ),
  },
];
