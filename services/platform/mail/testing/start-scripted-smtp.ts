import type { AddressInfo, Socket } from "node:net";

import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";

import { until } from "../../testing/until.ts";
import { readMail, type ReadMail } from "./read-mail.ts";

/** What happens to one attempt to deliver a mail. */
export type SmtpStep =
  | "accept"
  /** Refused when the recipient is named. */
  | { readonly refuseRecipient: number; readonly says?: string }
  /** Refused once the whole mail was read. */
  | { readonly refuseMail: number; readonly says?: string }
  /** The connection breaks once the whole mail was read; nobody has it. */
  | "drop"
  /** The connection breaks before the answer, and yet the mail is kept and delivered. */
  | "keep-and-drop"
  /** The whole mail was read, and nothing is ever answered. */
  | "silence";

export type AcceptedMail = {
  readonly to: string;
  readonly from: string;
  readonly raw: Buffer;
  readonly read: () => ReadMail;
};

export type ScriptedSmtp = {
  /** `smtp://127.0.0.1:<port>` */
  readonly url: string;
  /** The coming attempts for an address, one step each; the last one stays. `*` is everybody else. */
  readonly script: (address: string, ...steps: readonly SmtpStep[]) => void;
  /** Attempts so far, refused ones included. */
  readonly attempts: (address: string) => number;
  readonly accepted: () => readonly AcceptedMail[];
  /** How many mails each address was sent. */
  readonly byRecipient: () => ReadonlyMap<string, number>;
  /** How often each Message-ID arrived. */
  readonly byMessageId: () => ReadonlyMap<string, number>;
  /** Waits for the newest mail to an address. */
  readonly mailTo: (address: string, deadlineMs?: number) => Promise<ReadMail>;
  /** Forgets mails, attempts and scripts. */
  readonly forget: () => void;
  /** Breaks every connection and is gone. */
  readonly stop: () => Promise<void>;
};

type Books = {
  readonly mails: AcceptedMail[];
  readonly attempts: Map<string, number>;
  readonly scripts: Map<string, readonly SmtpStep[]>;
};

const everybody = "*";

/**
 * A mail server for tests, which really speaks SMTP and does as it is told: takes, refuses, delays,
 * breaks off. Takes thousands of mails quickly and counts them; nothing leaves the machine.
 */
export async function startScriptedSmtp(port = 0): Promise<ScriptedSmtp> {
  const books: Books = { mails: [], attempts: new Map(), scripts: new Map() };
  const sockets = new Map<number | undefined, Socket>();
  const steps = new Map<string, SmtpStep>();
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo: ({ address }, session, done) => {
      const step = nextStep(books, address);
      steps.set(session.id, step);
      if (typeof step === "object" && "refuseRecipient" in step) {
        done(refusal(step.refuseRecipient, step.says));
      } else done();
    },
    onData: (stream, session, done) => {
      const step = steps.get(session.id) ?? "accept";
      const hangUp = (): void => void sockets.get(session.remotePort)?.destroy();
      void finish({ step, books, stream, session, hangUp, done });
    },
  });
  server.on("error", () => undefined);
  server.server.on("connection", (socket) => {
    const { remotePort } = socket;
    sockets.set(remotePort, socket);
    socket.once("close", () => sockets.delete(remotePort));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return serverOf(server, books, sockets);
}

function serverOf(
  server: SMTPServer,
  books: Books,
  sockets: ReadonlyMap<number | undefined, Socket>,
): ScriptedSmtp {
  return {
    url: `smtp://127.0.0.1:${portOf(server.server.address())}`,
    script: (address, ...steps) => books.scripts.set(address.toLowerCase(), steps),
    attempts: (address) => books.attempts.get(address.toLowerCase()) ?? 0,
    accepted: () => books.mails,
    byRecipient: () => counted(books.mails.map(({ to }) => to)),
    byMessageId: () => counted(books.mails.map(({ read }) => read().messageId)),
    mailTo: async (address, deadlineMs) => {
      const isTo = ({ to }: AcceptedMail): boolean => to.toLowerCase() === address.toLowerCase();
      const found = await until("the mail is there", () => books.mails.findLast(isTo), deadlineMs);
      return found.read();
    },
    forget: () => {
      books.mails.length = 0;
      books.attempts.clear();
      books.scripts.clear();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("It does not listen.");
  return address.port;
}

function nextStep(books: Books, address: string): SmtpStep {
  const key = address.toLowerCase();
  const attempt = books.attempts.get(key) ?? 0;
  books.attempts.set(key, attempt + 1);
  const steps = books.scripts.get(key) ?? books.scripts.get(everybody) ?? [];
  return steps[attempt] ?? steps.at(-1) ?? "accept";
}

function refusal(responseCode: number, says = "As scripted"): Error {
  return Object.assign(new Error(says), { responseCode });
}

type Attempt = {
  readonly step: SmtpStep;
  readonly books: Books;
  readonly stream: SMTPServerDataStream;
  readonly session: SMTPServerSession;
  readonly hangUp: () => void;
  readonly done: (error?: Error) => void;
};

async function finish({ step, books, stream, session, hangUp, done }: Attempt): Promise<void> {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => stream.once("end", resolve));
  const raw = Buffer.concat(chunks);
  if (step === "accept" || step === "keep-and-drop") {
    const { mailFrom, rcptTo } = session.envelope;
    const from = mailFrom === false ? "" : mailFrom.address;
    for (const { address } of rcptTo) {
      books.mails.push({ to: address, from, raw, read: () => readMail(raw) });
    }
  }
  if (step === "drop" || step === "keep-and-drop") hangUp();
  else if (typeof step === "object" && "refuseMail" in step) {
    done(refusal(step.refuseMail, step.says));
  } else if (step !== "silence") done();
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
