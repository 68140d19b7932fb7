import type { IRegularForbiddenRuleType } from "dependency-cruiser";

const TEST = String.raw`\.(test|spec)\.tsx?$`;
const DECIDER = String.raw`^services/.*[./]decider\.ts$`;
const DOMAIN = "^services/ledger/domains/";

function forbid(
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType["from"],
  to: IRegularForbiddenRuleType["to"],
): IRegularForbiddenRuleType {
  return { name, comment, severity: "error", from, to };
}

/** What may import what. Each rule has a canary in canaries/gates.canary.test.ts. */
const forbidden: IRegularForbiddenRuleType[] = [
  forbid(
    "services-are-islands",
    "A service imports itself, platform and schemas. Between services there is HTTP.",
    { path: "^services/([^/]+)/" },
    { path: "^services/", pathNot: ["^services/$1/", "^services/platform/"] },
  ),
  forbid(
    "deciders-are-pure",
    "A decider imports contracts, kernel types and deciders; no clock, no store, no package. (`util` compares values.)",
    { path: DECIDER },
    {
      pathNot: ["^schemas/", DECIDER, "^util$", String.raw`^services/ledger/kernel/types\.ts$`],
    },
  ),
  forbid(
    "the-kernel-knows-no-domain",
    "Domains use platform and the kernel of the ledger, never the reverse.",
    { path: "^services/(platform|ledger/kernel)/", pathNot: [TEST, "/testing/"] },
    {
      path: "^(services/ledger|schemas)/",
      pathNot: ["^services/ledger/(kernel|node_modules)/", "^schemas/primitives/"],
    },
  ),
  forbid(
    "domains-do-not-import-domains",
    "An effect in another domain goes through a process, or is composed one level up. A process is tried with the other domain's own events.",
    { path: `${DOMAIN}([^/]+)/`, pathNot: TEST },
    { path: DOMAIN, pathNot: `${DOMAIN}$1/` },
  ),
  forbid(
    "parts-do-not-import-parts",
    "Parts of a service or of the site are composed one level up. The spool and the forms of documents serve all parts.",
    { path: "^(services/(?!platform|ledger)[^/]+|web/features)/([^/]+)/", pathNot: "/testing/" },
    {
      path: "^$1/",
      pathNot: ["^$1/($2|spool|documents|testing|node_modules)/", String.raw`^$1/[^/]+\.tsx?$`],
    },
  ),
  forbid(
    "web-imports-contracts-only",
    "The browser knows the contracts, never a service.",
    { path: "^web/" },
    { path: "^services/" },
  ),
  forbid(
    "pages-compose-features",
    "Features, design system and translations do not know the pages that compose them.",
    { path: "^web/(features|ui|i18n|analytics|styles)/", pathNot: TEST },
    { path: "^web/(app|pages)/" },
  ),
  forbid(
    "the-design-system-knows-no-domain",
    "A ui component has no feature, no translations, no analytics.",
    { path: "^web/ui/", pathNot: TEST },
    { path: "^web/(features|i18n|analytics)/" },
  ),
  forbid(
    "schemas-import-only-zod",
    "Contracts are shared by every runtime.",
    { path: "^schemas/", pathNot: TEST },
    { pathNot: ["^schemas/", "^node_modules/zod/"] },
  ),
  forbid(
    "infra-imports-services-to-try-them",
    "Only drills, benchmarks, checks and tests import parts of services, the platform apart.",
    { path: "^infra/", pathNot: ["^infra/(faults|bench|quality|embedded)/", TEST] },
    { path: "^services/", pathNot: "^services/platform/" },
  ),
  forbid(
    "the-embedded-platform-starts-services",
    "It imports what a service offers for that: service.ts, migrate.ts and demo.ts.",
    { path: "^infra/embedded/", pathNot: TEST },
    {
      path: "^services/",
      pathNot: ["^services/platform/", String.raw`^services/[^/]+/(service|migrate|demo)\.ts$`],
    },
  ),
  forbid(
    "the-product-does-not-import-infra",
    "The product does not know how it is run. Journeys and the test kit start engines.",
    {
      path: "^(schemas|services|web)/",
      pathNot: [`^services/platform/testing/.*${TEST}`, "^web/e2e/"],
    },
    { path: "^infra/" },
  ),
  forbid(
    "production-does-not-import-tests",
    "Test code is not part of what runs for visitors.",
    { path: "^(schemas|services|web)/", pathNot: [TEST, "/testing/", "^web/e2e/"] },
    { path: [TEST, "^services/.*/testing/", "^web/e2e/", "^node_modules/(vitest|fast-check)/"] },
  ),
  forbid(
    "a-process-is-not-a-library",
    "main.ts and worker.ts start a process when they are imported.",
    {},
    { path: String.raw`^services/[^/]+/(main|worker)\.ts$` },
  ),
  forbid("no-cycles", "Two files that need each other are one.", {}, { circular: true }),
];

export default {
  forbidden,
  options: {
    doNotFollow: { path: ["(^|/)node_modules/"] },
    exclude: { path: String.raw`(^|/)(\.types|dist)/` },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json", ".d.ts"],
    },
  },
};
