import type { Example } from "../example.ts";
import { Breadcrumb } from "./breadcrumb.tsx";

export const examples: readonly Example[] = [
  {
    name: "a page below the home page",
    draw: (word) => (
      <Breadcrumb
        label={word("Breadcrumb", "נתיב ניווט")}
        above={[{ id: "home", link: <a href="#home">{word("Home", "עמוד הבית")}</a> }]}
        current={word("Terms of service", "תנאי שימוש")}
      />
    ),
  },
];
