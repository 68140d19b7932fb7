import {
  type Asset,
  type DataMap,
  defineDataMap,
  scannedBy,
} from "@pro-talent/schemas/primitives/data-map";

import { sweepErasures } from "./erase/erase-rows.ts";
import { pruneErasures } from "./erase/erasures.ts";
import { destroyRecognition } from "./links/visitors.ts";
import { searchClickhouse } from "./search-clickhouse.ts";
import { searchCollectorRows, searchSpool } from "./search-erased.ts";
import { pruneClaims } from "./ship/event-claims.ts";
import { pruneQuarantine } from "./ship/quarantine.ts";
import { addVisitorData } from "./visitor-data.ts";

const months25: Asset["retention"] = { clock: "recorded", after: { count: 25, unit: "month" } };
const referencesOnly: Pick<Asset, "exporter"> = { exporter: { by: "references-only" } };
/** It deletes the rows of a subject and counts what is left. */
const swept: Pick<Asset, "eraser"> = { eraser: { by: "rows", code: sweepErasures } };
/**
 * Shipped within seconds: an erasure waits until every spool was emptied, and deletes what came from there.
 * Of what is in quarantine nothing erases that of one person; it goes after thirty days, and the search
 * finds it before.
 */
const spooled: Asset = {
  fields: { occurred_at: "personal", received_at: "personal" },
  retention: { clock: "recorded", after: { count: 30, unit: "day" } },
  eraser: { by: "expiry", code: pruneQuarantine },
  exporter: { by: "copy-of", asset: "events" },
};
/** Sums of many people, and sketches of hashes that lead to no one. */
const sums = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, "none" as const]));

const siteAnalytics = defineDataMap({
  activity: {
    id: "site-analytics",
    name: { en: "Analytics of the site", he: "מדידת השימוש באתר" },
    purpose: {
      en: "Learning how the site is used, from visitors who consented; others are only counted",
      he: "הבנת השימוש באתר לפי מבקרים שהסכימו; מבקרים אחרים רק נספרים",
    },
    basis: "consent",
    subjects: ["visitors"],
    recipients: [],
  },
  assets: {
    clickhouse: {
      events: {
        fields: { occurred_at: "personal", received_at: "personal" },
        retention: months25,
        exporter: { by: "code", code: addVisitorData },
        ...swept,
      },
      sessions_agg: {
        retention: months25,
        exporter: { by: "copy-of", asset: "events" },
        ...swept,
      },
      audience_agg: {
        fields: sums("country", "device_class", "sessions", "visitors"),
        retention: months25,
      },
      counters_daily: { fields: sums("page"), retention: { clock: "platform-closed" } },
      page_views_agg: { fields: sums("page", "sessions", "visitors"), retention: months25 },
      referrers_agg: {
        fields: sums(
          "referrer_domain",
          "sessions",
          "utm_campaign",
          "utm_medium",
          "utm_source",
          "visitors",
        ),
        retention: months25,
      },
    },
    spool: {
      "event record": spooled,
      "counter record": { fields: sums("page"), retention: { clock: "shipped" } },
    },
    postgres: {
      "collector.event_claim": {
        retention: { clock: "recorded", after: { count: 72, unit: "hour" } },
        eraser: { by: "expiry", code: pruneClaims },
        ...referencesOnly,
      },
    },
  },
});

const linkOpens = defineDataMap({
  activity: {
    id: "link-opens",
    name: { en: "Opens of shared links", he: "פתיחות של קישורים ששותפו" },
    purpose: {
      en: "Showing owners of links when, from where and how they were opened",
      he: "הצגה לבעלי קישורים מתי, מהיכן ואיך הקישורים נפתחו",
    },
    basis: "legitimate-interest",
    subjects: ["link-visitors", "account-holders"],
    recipients: ["link-owner"],
  },
  assets: {
    clickhouse: {
      link_opens: {
        fields: { occurred_at: "personal" },
        retention: months25,
        exporter: { by: "code", code: addVisitorData },
        ...swept,
      },
      link_reports: { retention: months25, ...swept },
    },
    postgres: {
      "collector.open_visitor": {
        retention: { clock: "recorded", after: { count: 48, unit: "hour" } },
        eraser: { by: "expiry", code: destroyRecognition },
        ...referencesOnly,
      },
    },
  },
});

const erasures = defineDataMap({
  activity: {
    id: "erasure-of-visits",
    name: { en: "Erasure of visits", he: "מחיקת ביקורים" },
    purpose: {
      en: "Erasing what was collected of a visitor or an account, and showing that it was done",
      he: "מחיקת מה שנאסף על מבקר או על חשבון, והצגה שהמחיקה בוצעה",
    },
    basis: "legal-obligation",
    subjects: ["visitors", "account-holders"],
    recipients: [],
  },
  assets: {
    postgres: {
      "collector.erasure": {
        retention: { clock: "ended", after: { count: 90, unit: "day" } },
        eraser: { by: "expiry", code: pruneErasures },
        ...referencesOnly,
      },
    },
  },
});

/** What the collector stores of people. */
export const collectorDataMaps: readonly DataMap[] = scannedBy(
  [siteAnalytics, linkOpens, erasures],
  { postgres: searchCollectorRows, clickhouse: searchClickhouse, spool: searchSpool },
);
