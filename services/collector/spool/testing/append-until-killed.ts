import { createLogger } from "@pro-talent/platform/runtime/logger";

import { Spool } from "../spool.ts";
import { eventRecord } from "./rows.ts";

/**
 * Appends from several sides without end and prints each event id once it is acknowledged.
 * Started by the spool's tests, which kill it.
 */
const [directory = ""] = process.argv.slice(2);
const log = createLogger({ service: "append-until-killed", level: "silent" });
const spool = await Spool.open({
  directory,
  bytesMax: 1024 ** 3,
  segmentRecordsMax: 50,
  onSegment: () => undefined,
  log,
});

async function appendForever(): Promise<void> {
  for (;;) {
    const record = eventRecord();
    await spool.append([record]);
    if (record.kind === "event") process.stdout.write(`${record.row.event_id}\n`);
  }
}

await Promise.all([appendForever(), appendForever(), appendForever(), appendForever()]);
