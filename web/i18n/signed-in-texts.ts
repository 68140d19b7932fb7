import { addTextFiles, type Texts } from "./translations.ts";

/** The texts of the signed-in area. Public pages leave them out by the same names (translations.ts). */
addTextFiles(
  import.meta.glob<Texts>(
    "./{en,he}/{account,account-api,account-entry,account-mailed,account-privacy,account-profile,account-security,billing,checkout,dashboard,links,privacy-console,processing,reported-links,status,subscription,traffic}.json",
    {
      import: "default",
    },
  ),
);
