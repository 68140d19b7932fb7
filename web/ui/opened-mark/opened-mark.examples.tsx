import type { Example } from "../example.ts";
import { OpenedMark } from "./opened-mark.tsx";

export const examples: readonly Example[] = [
  { name: "a number of opens", draw: () => <OpenedMark>{14}</OpenedMark> },
  {
    name: "a word",
    draw: (text) => <OpenedMark>{text("opened", "נפתח")}</OpenedMark>,
  },
];
