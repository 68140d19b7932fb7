import { openTrackerService } from "@pro-talent/ledger/domains/applications/testing/tracker-service";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";

import { migrate, startDatabase } from "../faults/drill-services.ts";
import { OWNER_ROLE } from "../postgres/roles.ts";
import { type BenchOptions, latencies, median } from "./figures.ts";

const Listed = applicationCalls["GET /api/applications"].answer;
const callsAtOnce = 500;
const held = 5_000;
const repetitions = 20;

/** An application as a board has it: a Hebrew company, a contact, a salary and a deadline. */
const application = (number: number) => ({
  details: {
    company: `חברה ${number}`,
    role: "מפתחת תוכנה בכירה",
    place: "תל אביב",
    source: "LinkedIn",
    jobUrl: `https://example.com/jobs/${number}?ref=abcdefghijk`,
    salary: { from: 30_000, to: 40_000, currency: "ILS", per: "month" },
    deadline: "2030-12-24",
    contacts: [{ contactId: crypto.randomUUID(), name: "Dana", email: "dana@example.com" }],
  },
});

/** Adds 5,000 applications to one account as an import does, and lists, moves, suggests and counts them. */
export async function benchApplications({ directory, record }: BenchOptions): Promise<void> {
  const { context, stop } = await startDatabase(directory);
  await migrate(context, "ledger");
  const ownerUrl = context.databaseUrl(OWNER_ROLE);
  const tracker = await openTrackerService({
    ownerUrl,
    urlOf: context.databaseUrl,
    drop: async () => undefined,
  });
  try {
    const { send } = await tracker.applicant();
    /** Answers are not read where their time is measured. */
    const call = async (...request: Parameters<typeof send>) => {
      const answer = await send(...request);
      if (answer.statusCode >= 300) throw new Error(answer.body);
      return answer;
    };
    const times: number[] = [];
    for (let first = 0; first < held; first += callsAtOnce) {
      const applications = Array.from({ length: callsAtOnce }, (_, n) => application(first + n));
      times.push(await timeOf(() => call("POST", "/api/applications", { applications })));
    }
    console.log(`\n${held} applications of one account`);
    console.log(`  ${callsAtOnce} added in one call: ${latencies(times)}`);
    const { applications, stages } = Listed.parse((await call("GET", "/api/applications")).json());
    for (const path of ["", "/suggestions", "/statistics"])
      await repeat(`GET ${path}`, () => call("GET", `/api/applications${path}`));
    const [applicationId] = applications.map((one) => one.applicationId);
    const one = await repeat("GET one", () =>
      call("GET", `/api/applications/${applicationId ?? ""}`),
    );
    record("callCpuMs", median(one));
    await repeat("one moved", (round) => {
      const stageId = stages[round % 2]?.stageId;
      return call("POST", "/api/applications/moves", { applicationIds: [applicationId], stageId });
    });
  } finally {
    await tracker.close();
    await stop();
  }
}

/** @returns the processor time of each repetition, ms */
async function repeat(what: string, work: (round: number) => Promise<unknown>): Promise<number[]> {
  const [times, cpu]: [number[], number[]] = [[], []];
  for (let round = 0; round < repetitions; round += 1) {
    const before = process.cpuUsage();
    times.push(await timeOf(() => work(round)));
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  }
  console.log(`  ${what}: ${latencies(times)}, processor ${latencies(cpu)}`);
  return cpu;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
