import { setTimeout as delay } from "node:timers/promises";

import { until } from "@pro-talent/platform/testing/until";

import { compareRecords, type Finding } from "./compare-stored.ts";
import type { ServiceUnderDrill } from "./drill-services.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { InstancesLoad } from "./instances-load.ts";
import { type Instances, type InstancesStack, startInstancesStack } from "./instances-stack.ts";
import { chainFinding } from "./issue-drill.ts";
import { seededRandom } from "./record-load.ts";
import { startConsentedVisits } from "./visits.ts";

/** Of the whole drill: three collectors, and two of everything else. */
export const manyInstances: Instances = {
  collector: 3,
  "collector-worker": 2,
  ledger: 2,
  "ledger-worker": 2,
  accounts: 2,
  "accounts-worker": 2,
  "studio-worker": 2,
};

/** Events and forms a second, of the whole drill. */
const wholeRate = { events: 1000, forms: 50 };
const visitors = 40;
/** Of the support address, which is mailed about every contact message. */
const supportAddress = "support@example.com";
/** How many messages a worker that is killed may have been delivering. */
const deliveriesAtOnce = 4;
const deadlineMs = 240_000;

type Disturbed = { stack: InstancesStack; load: InstancesLoad; report: (line: string) => void };

/**
 * Several instances behind the gateway under load. First all are restarted, one after another, in good order
 * (SIGTERM); then one at a time is killed (`kill -9`). No request may fail, and what was acknowledged must be
 * stored once.
 * @param options.rate 1 for 1,000 events and 50 forms a second
 * @param options.restarted which processes are restarted; all when left out
 * @param options.together processes of different kinds are restarted at the same time
 */
export async function instancesDrill(
  options: DrillOptions & {
    rate: number;
    kills: number;
    instances?: Instances;
    restarted?: (instance: string) => boolean;
    together?: boolean;
  },
): Promise<Finding[]> {
  const { directory, seed, rate, kills, report } = options;
  const stack = await startInstancesStack(directory, options.instances ?? manyInstances);
  try {
    const random = seededRandom(seed);
    const sessions = await startConsentedVisits(stack.gateway.url, visitors);
    const load = new InstancesLoad({ url: stack.gateway.url, sessions, random });
    load.start({ events: wholeRate.events * rate, forms: wholeRate.forms * rate });
    const disturbed = { stack, load, report };
    const rolling = await restartAll(disturbed, options);
    const killing = await killSome(disturbed, kills, random);
    await load.stop();
    const { repeated, requests } = stack.gateway.counts;
    report(`${requests} requests at the gateway, ${repeated} sent again`);
    await stack.untilShipped(deadlineMs);
    return [
      ...rolling,
      ...killing.findings,
      ...(await compareRecords(stack, load.records)),
      await formsFinding(disturbed),
      await mailsFinding(disturbed, killing.workers),
      await chainFinding(stack.owner),
    ];
  } finally {
    await stack.stop();
  }
}

async function restartAll(
  { stack, load, report }: Disturbed,
  {
    restarted = () => true,
    together = false,
  }: { restarted?: (instance: string) => boolean; together?: boolean },
): Promise<Finding[]> {
  const chosen = stack.processes.filter(({ instance }) => restarted(instance));
  const kindOf = ({ instance }: ServiceUnderDrill): string => instance.replace(/-\d+$/u, "");
  const queues = Map.groupBy(chosen, (service) => (together ? kindOf(service) : "all"));
  const from = performance.now();
  await Promise.all(
    [...queues.values()].map(async (queue) => {
      for (const service of queue) await service.restart();
    }),
  );
  await delay(1000);
  const seconds = (performance.now() - from) / 1000;
  const { records, forms } = load.acknowledged();
  report(`${chosen.length} restarts, ${records} events, ${forms} forms in ${seconds.toFixed(0)} s`);
  const unclean = chosen.flatMap(({ instance, ends }) =>
    ends.filter((how) => how !== "ended with code 0").map((how) => `${instance} ${how}`),
  );
  const twice = repeatedMails({ stack, load });
  return [
    requestsFinding("while everything is restarted in turn", { stack, load, before: new Map() }),
    {
      statement: "every process that is asked to stop ends in good order",
      holds: unclean.length === 0,
      figures: `${chosen.length} restarts, ${unclean.join(", ") || "all with code 0"}`,
    },
    {
      statement: "no mail is sent twice while everything is restarted in turn",
      holds: twice === 0,
      figures: `${stack.smtp.accepted().length} mails, ${twice} twice`,
    },
  ];
}

async function killSome(
  { stack, load, report }: Disturbed,
  kills: number,
  random: () => number,
): Promise<{ findings: Finding[]; workers: number }> {
  const before = new Map(load.failed);
  const killed: ServiceUnderDrill[] = [];
  for (let n = 0; n < kills; n += 1) {
    await delay(300 + random() * 1200);
    const victim = stack.processes[Math.floor(random() * stack.processes.length)];
    if (victim === undefined) continue;
    const pid = victim.pid();
    victim.kill9();
    killed.push(victim);
    await until("it has been started again", () => victim.pid() !== pid);
    await victim.untilReady();
  }
  report(`killed ${killed.map(({ instance }) => instance).join(", ")}`);
  const workers = killed.filter(({ instance }) => instance.startsWith("ledger-worker")).length;
  const name = `while ${kills} processes are killed`;
  return { findings: [requestsFinding(name, { stack, load, before })], workers };
}

function requestsFinding(
  when: string,
  {
    stack,
    load,
    before,
  }: { stack: InstancesStack; load: InstancesLoad; before: ReadonlyMap<string, number> },
): Finding {
  const failed = [...load.failed].flatMap(([what, count]) => {
    const since = count - (before.get(what) ?? 0);
    return since === 0 ? [] : [`${since} × ${what}`];
  });
  const { requests } = stack.gateway.counts;
  return {
    statement: `no request fails ${when}`,
    holds: requests > 0 && failed.length === 0,
    figures: `${requests} requests so far, ${failed.join(", ") || "none failed"}`,
  };
}

type Stream = { command_id: string };

/** Each form makes a stream of its own, whose first event has the form's command id. */
async function formsFinding({ stack, load }: Disturbed): Promise<Finding> {
  const begun = await stack.owner<Stream[]>`
    select command_id from ledger.event
     where version = 1 and (stream like 'contact-%' or stream like 'newsletter-%')`;
  const ids = begun.map(({ command_id }) => command_id);
  const stored = new Set(ids);
  const acked = [...load.forms].filter(([, form]) => form.acked).map(([id]) => id);
  const lost = acked.filter((id) => !stored.has(id)).length;
  const invented = ids.filter((id) => !load.forms.has(id)).length;
  return {
    statement: "every acknowledged form is stored exactly once",
    holds: acked.length > 0 && lost === 0 && invented === 0 && stored.size === ids.length,
    figures: `${acked.length} acknowledged, ${lost} lost, ${ids.length - stored.size} doubled, ${invented} invented`,
  };
}

/** Mails beyond the first to the address of a form, which is of that form alone. */
function repeatedMails({ stack, load }: Pick<Disturbed, "stack" | "load">): number {
  const counts = stack.smtp.byRecipient();
  return [...load.forms.values()].reduce(
    (sum, { email }) => sum + Math.max(0, (counts.get(email) ?? 0) - 1),
    0,
  );
}

/** A worker that dies after the mail server took a mail sends it again, under the same Message-ID. */
async function mailsFinding(disturbed: Disturbed, killedWorkers: number): Promise<Finding> {
  const { load, stack } = disturbed;
  const acked = [...load.forms.values()].filter((form) => form.acked);
  const messages = acked.filter(({ kind }) => kind === "contact").length;
  const missing = (): number => {
    const counts = stack.smtp.byRecipient();
    const support = Math.max(0, messages - (counts.get(supportAddress) ?? 0));
    return support + acked.filter(({ email }) => !counts.has(email)).length;
  };
  await until("every form has led to its mails", () => missing() === 0, deadlineMs).catch(
    () => undefined,
  );
  const twice = repeatedMails(disturbed);
  return {
    statement: "every form leads to its mails, and twice only where a worker was killed",
    holds: missing() === 0 && twice <= killedWorkers * deliveriesAtOnce,
    figures: `${stack.smtp.accepted().length} mails, ${missing()} missing, ${twice} twice to ${killedWorkers} workers killed`,
  };
}
