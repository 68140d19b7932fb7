import type { Files } from "./plant.ts";

/** Files that each boundary rule must refuse, all in one tree; the key is the rule's name. */
export const boundaryCanaries: Record<string, Files> = {
  "services-are-islands": {
    "services/collector/ingest/peek.ts": `import { append } from '@pro-talent/ledger/event-store/append';\nexport const peek = append;\n`,
    "services/ledger/event-store/append.ts": `export const append = 1;\n`,
  },
  "only-the-job-host-takes-jobs": {
    "services/collector/ingest/take-job.ts": `export { jobs } from '../../ledger/jobs.ts';\n`,
    "services/ledger/jobs.ts": `export const jobs = [];\n`,
  },
  "deciders-are-pure": {
    "services/ledger/consent/decider.ts": `import { randomUUID } from 'node:crypto';\nexport const decide = randomUUID;\n`,
  },
  "domains-do-not-import-domains": {
    "services/ledger/newsletter/read-consent.ts": `import { view } from '../consent/view.ts';\nexport const read = view;\n`,
    "services/ledger/consent/view.ts": `export const view = 1;\n`,
    "web/features/contact/form.ts": `import { banner } from '../consent/banner.ts';\nexport const form = banner;\n`,
    "web/features/consent/banner.ts": `export const banner = 1;\n`,
  },
  "the-kernel-knows-no-domain": {
    "services/ledger/event-store/special-case.ts": `import { rule } from '../consent/rule.ts';\nexport const special = rule;\n`,
    "services/ledger/consent/rule.ts": `export const rule = 1;\n`,
  },
  "web-takes-contracts-only": {
    "web/features/consent/server-side.ts": `import { wire } from '@pro-talent/collector/ingest/wire';\nexport const here = wire;\n`,
    "services/collector/ingest/wire.ts": `export const wire = 1;\n`,
  },
  "pages-compose-features": {
    "web/features/pricing/route.ts": `import { router } from '../../app/router.ts';\nexport const route = router;\n`,
    "web/app/router.ts": `export const router = 1;\n`,
  },
  "the-design-system-knows-no-domain": {
    "web/ui/button/button.ts": `import { words } from '../../i18n/words.ts';\nexport const button = words;\n`,
    "web/i18n/words.ts": `export const words = 1;\n`,
  },
  "schemas-import-only-zod": {
    "schemas/analytics/clever.ts": `import fastify from 'fastify';\nexport const clever = fastify;\n`,
  },
  "infra-takes-services-only-to-compose-or-try-them": {
    "infra/postgres/shortcut.ts": `import { pool } from '@pro-talent/platform/pool';\nexport const shortcut = pool;\n`,
    "services/platform/pool.ts": `export const pool = 1;\n`,
  },
  "nobody-imports-infra": {
    "services/platform/http/port.ts": `import { free } from '../../../infra/embedded/free-port.ts';\nexport const port = free;\n`,
    "infra/embedded/free-port.ts": `export const free = 1;\n`,
  },
  "production-does-not-import-tests": {
    "services/ledger/links/fixture.ts": `import { until } from '@pro-talent/platform/testing/until';\nexport const wait = until;\n`,
    "services/platform/testing/until.ts": `export const until = 1;\n`,
  },
  "a-process-is-not-a-library": {
    "services/ledger/app.ts": `import { started } from './main.ts';\nexport const app = started;\n`,
    "services/ledger/main.ts": `export const started = 1;\n`,
  },
  "no-cycles": {
    "services/ledger/links/hen.ts": `import type { Egg } from './egg.ts';\nexport type Hen = { egg: Egg };\n`,
    "services/ledger/links/egg.ts": `import type { Hen } from './hen.ts';\nexport type Egg = { hen: Hen };\n`,
  },
  "every-import-resolves": {
    "services/ledger/links/lost.ts": `export { gone } from './gone.ts';\n`,
  },
};

/** Edges that the rules must leave alone. */
export const allowedEdges: Files = {
  "services/ledger/consent/routes.ts": `import { id } from '@pro-talent/schemas/primitives/id';\nimport { server } from '@pro-talent/platform/http/server';\nimport { store } from '../event-store/store.ts';\nimport { judge } from './other-decider.ts';\nexport const routes = [id, server, store, judge];\n`,
  "services/ledger/consent/other-decider.ts": `import { id } from '@pro-talent/schemas/primitives/id';\nimport type { Recorded } from '../event-store/types.ts';\nexport const judge = (event: Recorded) => [id, event];\n`,
  "services/ledger/event-store/types.ts": `export type Recorded = number;\n`,
  "services/ledger/event-store/store.ts": `export const store = 1;\n`,
  "services/platform/http/server.ts": `export const server = 1;\n`,
  "schemas/primitives/id.ts": `export const id = 1;\n`,
  "services/jobs/registry.ts": `import { jobs } from '@pro-talent/ledger/jobs';\nexport const registry = jobs;\n`,
  "web/app/page.ts": `import { form } from '../features/contact/form.ts';\nimport { id } from '@pro-talent/schemas/primitives/id';\nexport const page = [form, id];\n`,
  "infra/bench/run.ts": `import { pool } from '@pro-talent/platform/pool';\nexport const run = pool;\n`,
};
