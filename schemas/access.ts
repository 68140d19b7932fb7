import { httpApi } from "./http-api.ts";
import type { Access } from "./primitives/access.ts";

/** What services answer beside calls: checks of the platform, documents, pictures. */
const otherRoutes = {
  "GET /healthz": "public",
  "GET /readyz": "public",
  "GET /metrics": "public",
  "GET /lang": "public",
  "POST /lang": "public",
  "GET /api/og": "public",
} as const satisfies Readonly<Record<string, Access>>;

/** Who may use each route of every service: the one table that servers, pages and tests follow. */
export const routeAccess: Readonly<Record<string, Access>> = {
  ...Object.fromEntries(Object.entries(httpApi).map(([name, { access }]) => [name, access])),
  ...otherRoutes,
};
