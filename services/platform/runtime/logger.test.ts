import { spawn } from "node:child_process";
import { once } from "node:events";

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

it("a process whose log is read no more still ends", async () => {
  const module = new URL("logger.ts", import.meta.url).href;
  const program = `
    const { createLogger } = await import(${JSON.stringify(module)});
    const log = createLogger({ service: "test", level: "info" });
    process.once("disconnect", () => {
      for (let line = 0; line < 1000; line += 1) log.error("the database is gone");
      process.exit(3);
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  await once(child, "spawn");
  child.stdout?.destroy();
  child.disconnect();
  const ended = once(child, "exit", { signal: AbortSignal.timeout(5000) });
  expect(await ended.finally(() => child.kill("SIGKILL"))).toEqual([3, null]);
});
