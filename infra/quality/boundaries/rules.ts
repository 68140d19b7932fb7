import type { IRegularForbiddenRuleType } from "dependency-cruiser";

const TEST = String.raw`\.(test|spec)\.tsx?$`;
/** Folders of a service that are its kernel, not a domain: every domain of that service uses them. */
const KERNEL = "event-store|subjects|outbox|timers|plain-forms|spool|clickhouse|testing";

const DECIDER = String.raw`^services/.*([./-]decider|/decider|-state)\.ts$`;

function forbid(
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType["from"],
  to: IRegularForbiddenRuleType["to"],
): IRegularForbiddenRuleType {
  return { name, comment, severity: "error", from, to };
}

/** Who may know whom. Each rule has a canary in ../canaries/boundaries.ts. */
export const boundaryRules: IRegularForbiddenRuleType[] = [
  forbid(
    "services-are-islands",
    "A service knows itself, platform and schemas. Between services there is HTTP.",
    { path: "^services/([^/]+)/" },
    {
      path: "^services/",
      pathNot: ["^services/$1/", "^services/platform/", String.raw`^services/[^/]+/jobs\.ts$`],
    },
  ),
  forbid(
    "only-the-job-host-takes-jobs",
    "The list of jobs of a service is for services/jobs alone.",
    { path: "^services/([^/]+)/", pathNot: "^services/jobs/" },
    { path: String.raw`^services/[^/]+/jobs\.ts$`, pathNot: "^services/$1/" },
  ),
  forbid(
    "deciders-are-pure",
    "A decider, and the state it decides on, take contracts and event-store types; no clock, no store, no package.",
    { path: DECIDER },
    {
      pathNot: ["^schemas/", DECIDER, String.raw`/event-store/types\.ts$`],
    },
  ),
  forbid(
    "domains-do-not-import-domains",
    "Effects across domains go by event, or are composed one level up.",
    {
      path: "^(services/[^/]+|web/features)/([^/]+)/",
      pathNot: ["^services/platform/", `^services/[^/]+/(${KERNEL})/`],
    },
    { path: "^$1/", pathNot: [`^$1/($2|node_modules|${KERNEL})/`, String.raw`^$1/[^/]+\.tsx?$`] },
  ),
  forbid(
    "the-kernel-knows-no-domain",
    "Event store, spool and platform are used by domains, never the other way.",
    {
      path: "^services/([^/]+)/(event-store|subjects|outbox|timers|plain-forms|spool)/",
      pathNot: TEST,
    },
    { path: "^services/$1/[^/]+/", pathNot: [`^services/$1/(${KERNEL})/`] },
  ),
  forbid(
    "web-takes-contracts-only",
    "The browser knows the contracts, never a service.",
    { path: "^web/" },
    { path: "^services/" },
  ),
  forbid(
    "pages-compose-features",
    "Features, design system and words do not know the application that composes them.",
    { path: "^web/(features|ui|i18n|analytics|styles)/", pathNot: TEST },
    { path: "^web/app/" },
  ),
  forbid(
    "the-design-system-knows-no-domain",
    "A ui component has no feature, no words, no analytics.",
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
    "infra-takes-services-only-to-compose-or-try-them",
    "Only what starts, tries or measures the services knows them.",
    { path: "^infra/", pathNot: "^infra/(embedded|faults|bench|quality)/" },
    { path: "^services/" },
  ),
  forbid(
    "nobody-imports-infra",
    "The product does not know how it is run. Journeys and the test kit start engines.",
    {
      path: "^(schemas|services|web)/",
      pathNot: [`^services/platform/testing/.*${TEST}`, "^web/e2e/"],
    },
    { path: "^infra/" },
  ),
  forbid(
    "production-does-not-import-tests",
    "What runs for users does not lean on test code.",
    { path: "^(schemas|services|web)/", pathNot: [TEST, "/testing/", "^web/e2e/"] },
    { path: [TEST, "^services/[^/]+/testing/", "^web/e2e/", "^node_modules/(vitest|fast-check)/"] },
  ),
  forbid(
    "a-process-is-not-a-library",
    "main.ts owns a process; importing it would start one.",
    { path: "." },
    { path: String.raw`^services/[^/]+/main\.ts$` },
  ),
  forbid("no-cycles", "Two files that need each other are one.", {}, { circular: true }),
  forbid("every-import-resolves", "An import that leads nowhere.", {}, { couldNotResolve: true }),
];
