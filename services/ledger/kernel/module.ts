import type { ServiceAddress } from "@pro-talent/platform/http/service-client";
import type { Mailer } from "@pro-talent/platform/mail/mailer";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import type { CommandContext, Ledger } from "./commands.ts";
import type { EventFamily } from "./events.ts";
import type { Mailboxes } from "./mailboxes.ts";
import type { MessageHandlers } from "./outbox.ts";
import type { Process } from "./processes.ts";
import type { ReadModel } from "./read-model.ts";
import type { StreamKind } from "./stream-kinds.ts";
import type { Subjects } from "./subjects.ts";
import type { TimerHandlers } from "./timers.ts";

/** What a mail server, or the holder of a mailbox, reports of a mail that was delivered. */
export type MailReturn = {
  readonly mailId: string;
  readonly kind: "hard" | "soft" | "complaint";
};

/** Records a report about a mail of the domain. @returns whether anything follows from it */
export type MailReturnHandler = (
  ledger: Ledger,
  report: MailReturn,
  context: CommandContext,
) => Promise<boolean>;

/** What every part of a domain may use. */
export type LedgerContext = {
  readonly ledger: Ledger;
  readonly subjects: Subjects;
  readonly mailboxes: Mailboxes;
  readonly clock: Clock;
  /** Of the site, as in `https://example.com`. */
  readonly publicOrigin: string;
  /** A key of 32 bytes for one purpose, from the ledger's secret. */
  readonly deriveKey: (label: string) => Buffer;
  /** The same key first, then those of former secrets, for what was made with them. */
  readonly deriveKeys: (label: string) => readonly [Buffer, ...Buffer[]];
  /** The accounts service, which knows how account holders are addressed. */
  readonly accounts: ServiceAddress;
  readonly log: Logger;
};

/** What questions need: nothing can be recorded with it. */
export type Reading = {
  readonly ledger: { readonly sql: Queryable };
  readonly subjects: Pick<Subjects, "find" | "findAll">;
};

export type HttpContext = LedgerContext & {
  /** For a call that may lag: its rows, and the keys that open them, from one place. */
  readonly readingFrom: (sql: Queryable) => Reading;
  /** Forms of one kind that one address may send in a minute. */
  readonly formsPerMinute: number;
  /** Reads of one kind that one address may make in a minute. */
  readonly readsPerMinute: number;
  /** Records a report about a mail of another domain. @returns whether anything follows from it */
  readonly recordReturn: (report: MailReturn, context: CommandContext) => Promise<boolean>;
  /** Brings a following read model up to everything recorded so far. */
  readonly catchUp: (model: ReadModel) => Promise<void>;
};

export type WorkerContext = LedgerContext & {
  readonly mailer: Mailer;
  /** The insights service, which knows the opens of links. */
  readonly insights: ServiceAddress;
  /** Aborted when the worker begins to stop, so that long work can end at its next step. */
  readonly stopping: AbortSignal;
};

/** Work that a domain's worker does again and again, beside what is due at some time. */
export type Repeated = {
  /** For the log, as in `files without a link`. */
  readonly what: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
};

type Source = Readonly<Record<string, string | undefined>>;
type Environment<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

export type ModuleDefinition<Shape extends z.ZodRawShape> = {
  readonly name: string;
  /** Variables of the domain's own; each needs a default, since not every process sets it. */
  readonly environment?: Shape;
  readonly events: readonly EventFamily[];
  /** Streams with timers, messages or sealed data. */
  readonly streams?: readonly StreamKind[];
  readonly readModels?: readonly ReadModel[];
  /** Reactions to events of other domains. */
  readonly processes?: readonly Process[];
  /** Serves the domain's calls in a Fastify scope of its own. */
  readonly routes?: (
    scope: FastifyInstance,
    context: HttpContext,
    env: Environment<Shape>,
  ) => void | Promise<void>;
  /** Of mails whose delivery matters to the domain. */
  readonly mailReturns?: MailReturnHandler;
  /** Handlers of outbox messages, by name. */
  readonly messages?: (context: WorkerContext, env: Environment<Shape>) => MessageHandlers;
  /** Handlers of timers, by name. */
  readonly timers?: (context: WorkerContext, env: Environment<Shape>) => TimerHandlers;
  /** Of timers whose handlers wait for external servers: several at once, and no other waits for them. */
  readonly slowTimers?: (context: WorkerContext, env: Environment<Shape>) => TimerHandlers;
  readonly repeats?: (context: WorkerContext, env: Environment<Shape>) => readonly Repeated[];
};

/** A domain whose environment stays inside, so that all domains fit in one list. */
export type DomainModule = Required<
  Pick<
    ModuleDefinition<z.ZodRawShape>,
    "name" | "environment" | "events" | "streams" | "readModels" | "processes"
  >
> & {
  readonly mailReturns: MailReturnHandler | undefined;
  /** `source` is the process environment, of which the module parses its own variables. */
  readonly routes: (scope: FastifyInstance, context: HttpContext, source: Source) => Promise<void>;
  readonly messages: (context: WorkerContext, source: Source) => MessageHandlers;
  readonly timers: (context: WorkerContext, source: Source) => TimerHandlers;
  readonly slowTimers: (context: WorkerContext, source: Source) => TimerHandlers;
  readonly repeats: (context: WorkerContext, source: Source) => readonly Repeated[];
};

/** Declares everything that a domain brings: its table of contents. */
export function defineModule<const Shape extends z.ZodRawShape = Record<never, never>>(
  definition: ModuleDefinition<Shape>,
): DomainModule {
  const { name, events, streams = [], readModels = [], processes = [] } = definition;
  const { environment, routes, messages, timers, slowTimers, repeats, mailReturns } = definition;
  const parse = (source: Source): Environment<Shape> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/consistent-type-assertions -- without a shape the environment has no variables
    if (environment === undefined) return {} as Environment<Shape>;
    return z.object(environment).parse(source);
  };
  return {
    name,
    environment: environment ?? {},
    events,
    streams,
    readModels,
    processes,
    mailReturns,
    routes: async (scope, context, source) => routes?.(scope, context, parse(source)),
    messages: (context, source) => messages?.(context, parse(source)) ?? {},
    timers: (context, source) => timers?.(context, parse(source)) ?? {},
    slowTimers: (context, source) => slowTimers?.(context, parse(source)) ?? {},
    repeats: (context, source) => repeats?.(context, parse(source)) ?? [],
  };
}

/**
 * Checks that no two domains claim the same name, and that processes and kinds of streams name events
 * that exist.
 * @throws Error naming what is claimed twice or missing
 */
export function checkModules(modules: readonly DomainModule[]): readonly DomainModule[] {
  const categories = modules.flatMap(({ events }) => events.map(({ category }) => category));
  const processes = modules.flatMap((module) => module.processes);
  const readModels = modules.flatMap((module) => module.readModels);
  // Several domains may read a variable by one and the same contract, such as where files are.
  const contracts = new Map(
    modules.flatMap(({ environment }) =>
      Object.entries(environment).map(([name, contract]) => [contract, name] as const),
    ),
  );
  const names = {
    module: modules.map(({ name }) => name),
    "stream category": categories,
    "read model": readModels.map(({ table }) => table),
    process: processes.map(({ name }) => name),
    "kind of stream": modules.flatMap(({ streams }) => streams.map(({ category }) => category)),
    variable: [...contracts.values()],
  };
  for (const [what, declared] of Object.entries(names)) requireUnique(what, declared);
  for (const { name, category } of processes) {
    if (!categories.includes(category))
      throw new Error(`${name} reads streams ${category}-… of no domain`);
  }
  for (const { category } of modules.flatMap(({ streams }) => streams)) {
    if (!categories.includes(category)) throw new Error(`Streams ${category}-… are of no domain`);
  }
  return modules;
}

/** Offers a report to each domain in turn, until one finds a mail of its own. */
export function mailReturnsOf(
  modules: readonly DomainModule[],
  ledger: Ledger,
): HttpContext["recordReturn"] {
  const handlers = modules.flatMap(({ mailReturns }) => mailReturns ?? []);
  return async (report, context) => {
    for (const handle of handlers) if (await handle(ledger, report, context)) return true;
    return false;
  };
}

/** Joins the handlers of all modules. @throws Error when two handle the same name */
export function joinHandlers<Handler>(
  what: string,
  parts: readonly Readonly<Record<string, Handler>>[],
): Readonly<Record<string, Handler>> {
  const entries = parts.flatMap((part) => Object.entries(part));
  const names = entries.map(([name]) => name);
  requireUnique(what, names);
  return Object.fromEntries(entries);
}

function requireUnique(what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two modules declare the ${what} ${twice}`);
}
