import { httpApi } from "./http-api.ts";
import { sandboxCalls, sandboxControls } from "./payments-sandbox/calls.ts";
import type { Access } from "./primitives/access.ts";

/** What services answer beside calls: checks of the platform, pages, plain forms, files, pictures. */
const otherRoutes = {
  "GET /healthz": "public",
  "GET /readyz": "public",
  "GET /metrics": "public",
  "POST /lang": "public",
  "GET /api/og": "public",
  "GET /api/newsletter/unsubscribe": "public",
  "POST /newsletter/confirm": "public",
  "POST /newsletter/never": "public",
  "POST /newsletter/preferences": "public",
  // ClickHouse's own interface, for tools of analysts.
  "GET /api/v1/analytics/clickhouse": { scope: "analytics:query" },
  "POST /api/v1/analytics/clickhouse": { scope: "analytics:query" },
  "GET /api/v1/analytics/clickhouse/ping": "public",
  "GET /assets/*": "public",
  "GET /l/*": "public",
  "POST /l/*": "public",
  "GET /v/:ticket": "public",
  "POST /v/:ticket": "public",
  "GET /v/:ticket/file": "public",
  "GET /v/:ticket/save": "public",
  "GET /v/:ticket/report": "public",
  "POST /v/:ticket/report": "public",
  "GET /v/:ticket/pictures/:file": "public",
  "GET /v/:ticket/cv/:language": "public",
  "POST /v/:ticket/contact": "public",
  "GET /p/sitemap.xml": "public",
  "GET /p/:handle": "public",
  "POST /p/:handle": "public",
  "GET /p/:handle/pictures/:file": "public",
  "GET /p/:handle/cv/:language": "public",
  "GET /p/:handle/report": "public",
  "POST /p/:handle/report": "public",
  "POST /p/:handle/contact": "public",
  "GET /viewer/*": "public",
  // Pages; those of accounts contain nothing of an account, and ask for it by calls.
  "GET /*": "public",
  "GET /sandbox-payments/checkout/:id": "public",
  "POST /sandbox-payments/checkout/:id": "public",
  "GET /sandbox-payments/challenge/:id": "public",
  "POST /sandbox-payments/challenge/:id": "public",
} as const satisfies Readonly<Record<string, Access>>;

/** Those of the payments sandbox are no part of the product's own interface. */
const calls = { ...httpApi, ...sandboxCalls, ...sandboxControls };

/**
 * Who may use each route of every service. Servers take each entry from its call; every route that they
 * register is compared with this table.
 * @internal to tests
 */
export const routeAccess: Readonly<Record<string, Access>> = {
  ...Object.fromEntries(Object.entries(calls).map(([name, { access }]) => [name, access])),
  ...otherRoutes,
};
