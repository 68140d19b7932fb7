import {
  type Asset,
  type DataMap,
  defineDataMap,
  scannedBy,
} from "@pro-talent/schemas/primitives/data-map";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

import { dropDaysOf } from "./erase/drop-days.ts";
import { sweepErasures } from "./erase/erase-rows.ts";
import { pruneErasures } from "./erase/erasures.ts";
import { destroyRecognition } from "./links/visitors.ts";
import { searchClickhouse } from "./search-clickhouse.ts";
import { searchCollectorRows, searchSpool } from "./search-erased.ts";
import { pruneClaims } from "./ship/event-claims.ts";
import { forgetQuarantined } from "./ship/quarantine.ts";
import { shipSegment } from "./ship/ship-segment.ts";
import { storeDays } from "./store-days.ts";
import { addVisitorData } from "./visitor-data.ts";

const months25: Asset["retention"] = {
  clock: "recorded",
  after: retentionPeriods.visits,
  enforcedBy: { by: "ttl" },
};
const referencesOnly: Pick<Asset, "exporter"> = { exporter: { by: "references-only" } };
/** It deletes the rows of a subject and counts what is left. */
const swept: Pick<Asset, "eraser"> = { eraser: { by: "rows", code: sweepErasures } };
/** Days that are over, as questions read them: an erasure drops each day of the visitor, which is stored anew. */
const copyOfDay: Asset = {
  fields: {},
  retention: months25,
  eraser: { by: "rows", code: dropDaysOf },
  exporter: { by: "copy-of", asset: "events" },
};
const whileStored: Asset = {
  ...copyOfDay,
  retention: { clock: "recorded", enforcedBy: { by: "code", code: storeDays } },
};
const copiesOfDays = {
  stored_sessions: copyOfDay,
  stored_sessions_next: whileStored,
  stored_page_views: copyOfDay,
  stored_page_views_next: whileStored,
  stored_visitors: copyOfDay,
  stored_visitors_next: whileStored,
};
/** An erasure waits until every spool has shipped what it held, and deletes what came from there. */
const spooled: Asset = {
  fields: { occurred_at: "personal", received_at: "personal" },
  retention: { clock: "shipped", enforcedBy: { by: "code", code: shipSegment } },
  eraser: { by: "rows", code: sweepErasures },
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
      ...copiesOfDays,
      audience_agg: {
        fields: sums("country", "device_class", "sessions", "visitors"),
        retention: months25,
      },
      counters_daily: {
        fields: sums("page"),
        retention: { clock: "platform-closed", enforcedBy: { by: "no-person" } },
      },
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
      "counter record": {
        fields: sums("page"),
        retention: { clock: "shipped", enforcedBy: { by: "code", code: shipSegment } },
      },
      "quarantined record": {
        ...spooled,
        retention: {
          clock: "recorded",
          after: retentionPeriods.quarantine,
          enforcedBy: { by: "code", code: forgetQuarantined },
        },
        eraser: { by: "expiry", code: forgetQuarantined },
      },
    },
    postgres: {
      "collector.event_claim": {
        retention: {
          clock: "recorded",
          after: retentionPeriods.eventClaims,
          enforcedBy: { by: "job", job: "collector.prune-claims" },
        },
        eraser: { by: "expiry", code: pruneClaims },
        ...referencesOnly,
      },
    },
  },
});

const linkOpens = defineDataMap({
  activity: {
    id: "link-opens",
    name: { en: "Opens of shared links and portfolios", he: "פתיחות של קישורים ותיקי עבודות" },
    purpose: {
      en: "Showing owners of links and portfolios when, from where and how they were opened",
      he: "הצגה לבעלי קישורים ותיקי עבודות מתי, מהיכן ואיך נפתחו",
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
      link_reports: {
        retention: months25,
        exporter: { by: "copy-of", asset: "GET /internal/insights/held/:accountId" },
        ...swept,
      },
    },
    postgres: {
      "collector.open_visitor": {
        retention: {
          clock: "recorded",
          after: retentionPeriods.recognition,
          enforcedBy: { by: "job", job: "collector.destroy-recognition" },
        },
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
        retention: {
          clock: "ended",
          after: retentionPeriods.erasures,
          enforcedBy: { by: "job", job: "collector.prune-claims" },
        },
        // Until then pages that were opened before can report, and are refused by it.
        eraser: { by: "expiry", code: pruneErasures, ids: { count: 25, unit: "hour" } },
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
