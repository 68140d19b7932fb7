import type { AddressInfo, Socket } from "node:net";

import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";

import { until } from "../../testing/until.ts";
import { readMail, type ReadMail } from "./read-mail.ts";

/** What happens to one attempt to deliver a mail. */
export type SmtpStep =
  | "accept"
  /** Refused when the recipient is named: the text follows the code literally, status code included. */
  | { readonly refuseRecipient: number; readonly text?: string }
  /** Refused once the whole mail was read. */
  | { readonly refuseMail: number; readonly text?: string }
  /** The connection breaks once the whole mail was read; the mail is lost. */
  | "drop"
  /** The connection breaks before the answer, but the mail is kept and delivered. */
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
  /** The coming attempts for an address, one step each; the last one stays. `*` is every other address. */
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
  /** Breaks every connection and ends. */
  readonly stop: () => Promise<void>;
};

type Log = {
  readonly mails: AcceptedMail[];
  readonly attempts: Map<string, number>;
  readonly scripts: Map<string, readonly SmtpStep[]>;
};

const otherAddresses = "*";

/**
 * A real SMTP server for tests that follows a script: it accepts, refuses, delays or breaks off. It
 * accepts thousands of mails quickly and counts them; nothing leaves the machine.
 */
export async function startScriptedSmtp(port = 0): Promise<ScriptedSmtp> {
  const log: Log = { mails: [], attempts: new Map(), scripts: new Map() };
  const sockets = new Map<number | undefined, Socket>();
  const steps = new Map<string, SmtpStep>();
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true,
    closeTimeout: 100,
    onRcptTo: ({ address }, session, done) => {
      const step = nextStep(log, address);
      steps.set(session.id, step);
      if (typeof step === "object" && "refuseRecipient" in step) {
        done(refusal(step.refuseRecipient, step.text));
      } else done();
    },
    onData: (stream, session, done) => {
      const step = steps.get(session.id) ?? "accept";
      const hangUp = (): void => void sockets.get(session.remotePort)?.destroy();
      void finish({ step, log, stream, session, hangUp, done });
    },
  });
  server.on("error", () => undefined);
  server.server.on("connection", (socket) => {
    const { remotePort } = socket;
    sockets.set(remotePort, socket);
    socket.once("close", () => sockets.delete(remotePort));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return serverOf(server, log, sockets);
}

function serverOf(
  server: SMTPServer,
  log: Log,
  sockets: ReadonlyMap<number | undefined, Socket>,
): ScriptedSmtp {
  return {
    url: `smtp://127.0.0.1:${portOf(server.server.address())}`,
    script: (address, ...steps) => log.scripts.set(address.toLowerCase(), steps),
    attempts: (address) => log.attempts.get(address.toLowerCase()) ?? 0,
    accepted: () => log.mails,
    byRecipient: () => counted(log.mails.map(({ to }) => to)),
    byMessageId: () => counted(log.mails.map(({ read }) => read().messageId)),
    mailTo: async (address, deadlineMs) => {
      const isTo = ({ to }: AcceptedMail): boolean => to.toLowerCase() === address.toLowerCase();
      const found = await until("the mail has arrived", () => log.mails.findLast(isTo), deadlineMs);
      return found.read();
    },
    forget: () => {
      log.mails.length = 0;
      log.attempts.clear();
      log.scripts.clear();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string")
    throw new Error("The mail server does not listen");
  return address.port;
}

function nextStep(log: Log, address: string): SmtpStep {
  const key = address.toLowerCase();
  const attempt = log.attempts.get(key) ?? 0;
  log.attempts.set(key, attempt + 1);
  const steps = log.scripts.get(key) ?? log.scripts.get(otherAddresses) ?? [];
  return steps[attempt] ?? steps.at(-1) ?? "accept";
}

/** Without a text, 550 is the answer of a server that does not know the mailbox. */
function refusal(responseCode: number, text?: string): Error {
  const usual = responseCode === 550 ? "5.1.1 No such mailbox" : "As scripted";
  return Object.assign(new Error(text ?? usual), { responseCode });
}

type Attempt = {
  readonly step: SmtpStep;
  readonly log: Log;
  readonly stream: SMTPServerDataStream;
  readonly session: SMTPServerSession;
  readonly hangUp: () => void;
  readonly done: (error?: Error) => void;
};

async function finish({ step, log, stream, session, hangUp, done }: Attempt): Promise<void> {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => stream.once("end", resolve));
  const raw = Buffer.concat(chunks);
  if (step === "accept" || step === "keep-and-drop") {
    const { mailFrom, rcptTo } = session.envelope;
    const from = mailFrom === false ? "" : mailFrom.address;
    for (const { address } of rcptTo) {
      log.mails.push({ to: address, from, raw, read: () => readMail(raw) });
    }
  }
  if (step === "drop" || step === "keep-and-drop") hangUp();
  else if (typeof step === "object" && "refuseMail" in step) {
    done(refusal(step.refuseMail, step.text));
  } else if (step !== "silence") done();
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
