import { createTestPostgres, asRole, type TestPostgres } from "@pro-talent/platform/testing/engines";
import { uuidV7 } from "@pro-talent/platform/runtime/uuid-v7";
import { analyticsPaths } from "@pro-talent/schemas/analytics/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  browserHeaders,
  type CollectorUnderTest,
  deviceHeaders,
  startCollector,
} from "./collector-under-test.ts";
import { type LedgerProcess, startLedger } from "./start-ledger.ts";
