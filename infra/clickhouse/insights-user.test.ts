import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import { expect, it } from "vitest";

const file = fileURLToPath(new URL("insights-user.xml", import.meta.url));
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name).toSorted();

it("the user of insights may read the views that read as their definer, those of analysts apart, and nothing else", () => {
  const migrations = readdirSync(clickhouseMigrations)
    .map((name) => readFileSync(`${clickhouseMigrations}/${name}`, "utf8"))
    .join("\n");
  const views =
    /VIEW IF NOT EXISTS \{database\}\.(?!analyst_)(\w+) \{on_cluster\}\nDEFINER = CURRENT_USER/g;
  const granted = readFileSync(file, "utf8");
  const grants = namesIn(granted, /<query>GRANT SELECT ON pro_talent\.(\w+)<\/query>/g);
  expect(grants).toEqual(namesIn(migrations, views));
  const others = [...granted.matchAll(/GRANT (?!SELECT ON pro_talent\.)[^<]+/g)].map(
    ([text]) => text,
  );
  expect(others).toEqual(["GRANT CREATE TEMPORARY TABLE ON *.*"]);
  expect(grants).toContain("owner_opens");
});
