import { linkCode } from "../faults/drill-links.ts";
import { startDrillStack } from "../faults/drill-stack.ts";
import { openHeaders } from "../faults/visits.ts";
import { type BenchOptions, median } from "./figures.ts";
import { type NextRequest, steadyLoad, warmUpSeconds } from "./load.ts";
import { processCpuSeconds, treeCpuSeconds } from "./machine.ts";

const perSecond = 1_000;
const rounds = 3;
const links = 100;
/** Half of the opens are repetitions by one of these visitors, the others are of new ones. */
const returning = 500;

/**
 * Opens that arrive by chance, half of them by new visitors: classified, their visitor recognised and
 * claimed in Postgres, the row on disk before each answer; then shipped to ClickHouse.
 */
export async function benchOpens({ directory, seconds, record }: BenchOptions): Promise<void> {
  console.log(`\nopens of ${links} links at ${perSecond}/s, rounds of ${seconds} s`);
  const stack = await startDrillStack({ directory, collectors: 1 });
  try {
    const opens = generatedOpens();
    const [collector] = stack.collectors;
    const pid = collector?.pid();
    if (collector === undefined || pid === undefined) throw new Error("No collector runs");
    const options = { url: collector.url, perSecond, next: opens.next, expected: 302 };
    const warmUp = await steadyLoad({ ...options, seconds: warmUpSeconds });
    let [accepted, refused] = [warmUp.accepted, warmUp.refused];
    const [p99s, cpus]: [number[], number[]] = [[], []];
    const database = stack.postgresPid() ?? 0;
    const databaseBefore = await treeCpuSeconds(database);
    for (let round = 0; round < rounds; round += 1) {
      const before = await processCpuSeconds(pid);
      const result = await steadyLoad({ ...options, seconds });
      const cpuMs = (((await processCpuSeconds(pid)) - before) * 1000) / result.accepted;
      const { p50Ms, p99Ms } = result;
      console.log(
        `  ${result.perSecond.toFixed(0)}/s  p50 ${p50Ms} ms  p99 ${p99Ms} ms  ${cpuMs.toFixed(3)} CPU ms/open`,
      );
      accepted += result.accepted;
      refused += result.refused;
      p99s.push(p99Ms);
      cpus.push(cpuMs);
    }
    record("openCpuMs", median(cpus));
    const databaseMs = ((await treeCpuSeconds(database)) - databaseBefore) * 1000;
    record("openDatabaseCpuMs", databaseMs / (accepted - warmUp.accepted));
    await stack.untilShipped(120_000);
    const stored = await stack.count("SELECT count() FROM link_opens");
    const counted = await stack.count("SELECT countIf(exclusion = '') FROM link_opens");
    console.log(`  p99 of the median round ${median(p99s)} ms`);
    const figures = [`${accepted} answered`, `${refused} refused`, `${stored} stored`];
    console.log(`  ${figures.join(", ")}; ${counted} counted of ${opens.visitors.size} visitors`);
  } finally {
    await stack.stop();
  }
}

function generatedOpens(): { visitors: ReadonlySet<number>; next: NextRequest } {
  const visitors = new Set<number>();
  let sent = 0;
  const next: NextRequest = () => {
    const n = sent++;
    const visitor = n % 2 === 0 ? (n / 2) % returning : returning + n;
    visitors.add(visitor);
    return { path: `/l/${linkCode(visitor % links)}`, headers: openHeaders(visitor) };
  };
  return { visitors, next };
}
