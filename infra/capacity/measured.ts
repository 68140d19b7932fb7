import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { z } from "zod";

const file = fileURLToPath(new URL("measured.json", import.meta.url));

/** One figure: what was measured, and the command that measures it again. */
const Figure = z.strictObject({
  value: z.number().positive(),
  unit: z.string().min(1),
  command: z.string().regex(/^npm run bench -- \w+$/),
});

const names = z.enum([
  "collectorEventsPerSecond",
  "collectorDatabaseCpuMs",
  "spoolBytesPerEvent",
  "openCpuMs",
  "openDatabaseCpuMs",
  "insertCpuMs",
  "insertRowCpuMs",
  "mergeRowCpuMs",
  "rowBytes",
  "appendsPerSecond",
  "appendDatabaseCpuMs",
  "ledgerEventBytes",
  "questionCpuMs",
  "callCpuMs",
  "jobCpuMs",
]);
export type FigureName = z.infer<typeof names>;

const Measured = z.record(names, Figure);
type Measured = z.infer<typeof Measured>;

/** The figures on which the capacity page rests. @throws when one is missing or has no command */
export const measured: Measured = Measured.parse(JSON.parse(readFileSync(file, "utf8")));

/** Replaces the values of figures that were measured now; units and commands stay. */
export function writeMeasured(values: ReadonlyMap<FigureName, number>): void {
  const figures = { ...measured };
  for (const [name, value] of values)
    figures[name] = { ...figures[name], value: Number(value.toPrecision(3)) };
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}
