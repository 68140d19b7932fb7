import type { Example } from "../example.ts";
import { Breadcrumb } from "./breadcrumb.tsx";

export const examples: readonly Example[] = [
  {
    name: "a page below the home page",
    draw: (text) => (
      <Breadcrumb
        label={text("Breadcrumb", "נתיב ניווט")}
        above={[{ id: "home", link: <a href="#home">{text("Home", "עמוד הבית")}</a> }]}
        current={text("Terms of service", "תנאי שימוש")}
      />
    ),
  },
];
