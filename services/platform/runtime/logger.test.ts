import { expect, it } from "vitest";

import { createLogger, logFields } from "./logger.ts";

it("a log takes listed fields alone, however they are passed", () => {
  const log = createLogger({ service: "test", level: "silent" });
  const visitor = { address: "192.0.2.1" };
  log.info("ready");
  log.warn({ err: new Error("failed"), status: 503 }, "refused");
  // @ts-expect-error -- the field is not listed
  log.warn({ address: "192.0.2.1" }, "refused");
  // @ts-expect-error -- the field is not listed
  log.warn(visitor, "refused");
  // @ts-expect-error -- the field is not listed
  log.warn({ ...visitor, status: 503 }, "refused");
  // @ts-expect-error -- a request has many fields, none of which is listed
  log.warn(new Request("http://localhost"), "refused");
  expect(Object.keys(logFields)).not.toContain("address");
});
