import type { Example } from "../example.ts";
import { Icon, type IconName } from "./icon.tsx";

const lines: readonly IconName[] = [
  "close",
  "menu",
  "down",
  "forward",
  "more",
  "check",
  "up",
  "sort",
  "search",
];
const places: readonly IconName[] = ["home", "link", "document", "columns", "person", "shield"];
const themes: readonly IconName[] = ["light", "dark", "system"];

export const examples: readonly Example[] = [
  { name: "what one can do", draw: () => lines.map((name) => <Icon key={name} name={name} />) },
  { name: "places", draw: () => places.map((name) => <Icon key={name} name={name} />) },
  { name: "themes", draw: () => themes.map((name) => <Icon key={name} name={name} />) },
];
