import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { queriesHeld } from "./held-queries.ts";

/** What is stored of the queries of analysts. Their texts are sealed with the events. */
export const analystQueriesDataMap = defineDataMap({
  activity: {
    id: "analyst-queries",
    name: { en: "Queries of analysts", he: "שאילתות של אנליסטים" },
    purpose: {
      en: "Showing which analyst asked what about the use of the site",
      he: "תיעוד מי מהאנליסטים שאל מה על השימוש באתר",
    },
    basis: "legal-obligation",
    subjects: ["staff"],
    recipients: [],
  },
  assets: {
    postgres: {
      "ledger.analyst_query": {
        // Who asked is an id of an account, which leads to no one once that is deleted. The text is sealed with the
        // event, under a key that the timer `analyst-queries.erase-text` destroys.
        retention: { clock: "platform-closed", enforcedBy: { by: "ledger" } },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "code", code: queriesHeld.collect, textsBy: "person" },
      },
    },
  },
});
