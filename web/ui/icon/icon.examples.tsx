import type { Example } from "../example.ts";
import { AppIcon, type AppIconName } from "./app-icon.tsx";
import { Icon, type IconName } from "./icon.tsx";

const lines: readonly IconName[] = ["close", "menu", "down", "forward", "more", "check"];
const ofApp: readonly AppIconName[] = [
  "home",
  "link",
  "document",
  "columns",
  "person",
  "shield",
  "search",
  "sort",
  "up",
  "chart",
  "flag",
  "back",
];
const themes: readonly IconName[] = ["light", "dark", "system"];

export const examples: readonly Example[] = [
  { name: "what one can do", draw: () => lines.map((name) => <Icon key={name} name={name} />) },
  {
    name: "of the signed-in area",
    draw: () => ofApp.map((name) => <AppIcon key={name} name={name} />),
  },
  { name: "themes", draw: () => themes.map((name) => <Icon key={name} name={name} />) },
];
