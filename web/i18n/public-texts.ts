import { textFiles, type Texts } from "./translations.ts";

/** The texts of the public pages. */
Object.assign(
  textFiles,
  import.meta.glob<Texts>(
    [
      "./{en,he}/*.json",
      // Those of the signed-in area alone (signed-in-texts.ts).
      "!./*/{account,account-api,account-commands,account-entry,account-mailed,account-privacy,account-profile,account-security,analyst,analyst-questions,analyst-result,analyst-views,analyst-work,application,applications,billing,breaches,checkout,copy-review,cv,cv-checks,dashboard,inactive-accounts,legal-changes,links,portfolio,privacy-calendar,privacy-console,privacy-metrics,processing,reported-links,status,subscription,traffic}.json",
    ],
    { import: "default" },
  ),
);
