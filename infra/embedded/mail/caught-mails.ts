import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import PostalMime, { type Address } from "postal-mime";

/** A mail as a reader of the catcher sees it; header names are in lower case. */
export type CaughtMail = {
  id: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string | string[]>;
  from: MailAddress[];
  to: MailAddress[];
  /** The recipients of the SMTP dialogue; those of the headers once the process has restarted. */
  envelope: { to: MailAddress[] };
};
type MailAddress = { address: string; name: string };

/** The oldest mails beyond this number are deleted. */
const MAILS_KEPT = 1000;
const SUFFIX = ".eml";

/** Mails in a directory, one file each, byte for byte as they came; parsed when they are read. */
export class CaughtMails {
  readonly #directory: string;
  /** Oldest first. */
  readonly #ids: string[];
  readonly #recipients = new Map<string, readonly string[]>();
  readonly #parsed = new Map<string, Promise<CaughtMail>>();

  private constructor(directory: string, ids: string[]) {
    this.#directory = directory;
    this.#ids = ids;
  }

  /** Makes the directory if needed; mails that are in it already are part of the list. */
  static async open(directory: string): Promise<CaughtMails> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const names = (await readdir(directory)).filter((name) => name.endsWith(SUFFIX));
    const files = await Promise.all(
      names.map(async (name) => ({
        id: name.slice(0, -SUFFIX.length),
        at: (await stat(join(directory, name))).mtimeMs,
      })),
    );
    const ids = files.toSorted((left, right) => left.at - right.at).map(({ id }) => id);
    return new CaughtMails(directory, ids);
  }

  /** Resolves when the mail is on disk. */
  async add(source: Buffer, recipients: readonly string[]): Promise<void> {
    const id = randomBytes(8).toString("hex");
    await writeFile(this.#fileOf(id), source, { mode: 0o600, flag: "wx" });
    this.#ids.push(id);
    this.#recipients.set(id, recipients);
    const [oldest] = this.#ids;
    if (oldest !== undefined && this.#ids.length > MAILS_KEPT) await this.#delete(oldest);
  }

  /** All mails, the oldest first. */
  list(): Promise<CaughtMail[]> {
    return Promise.all(this.#ids.map((id) => this.#parse(id)));
  }

  /** Undefined when there is no such mail. */
  async find(id: string): Promise<CaughtMail | undefined> {
    return this.#ids.includes(id) ? this.#parse(id) : undefined;
  }

  /** The mail byte for byte; undefined when there is no such mail. */
  async source(id: string): Promise<Buffer | undefined> {
    return this.#ids.includes(id) ? readFile(this.#fileOf(id)) : undefined;
  }

  async empty(): Promise<void> {
    await Promise.all([...this.#ids].map((id) => this.#delete(id)));
  }

  #fileOf(id: string): string {
    return join(this.#directory, `${id}${SUFFIX}`);
  }

  async #delete(id: string): Promise<void> {
    const at = this.#ids.indexOf(id);
    if (at !== -1) this.#ids.splice(at, 1);
    this.#recipients.delete(id);
    this.#parsed.delete(id);
    await rm(this.#fileOf(id), { force: true });
  }

  #parse(id: string): Promise<CaughtMail> {
    const parsed =
      this.#parsed.get(id) ??
      readFile(this.#fileOf(id)).then((source) => read(id, source, this.#recipients.get(id)));
    this.#parsed.set(id, parsed);
    return parsed;
  }
}

async function read(
  id: string,
  source: Buffer,
  recipients: readonly string[] | undefined,
): Promise<CaughtMail> {
  const mail = await PostalMime.parse(source);
  const to = (mail.to ?? []).flatMap(mailboxes);
  return {
    id,
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html ?? "",
    headers: byName(mail.headers),
    from: mail.from === undefined ? [] : mailboxes(mail.from),
    to,
    envelope: { to: recipients?.map((address) => ({ address, name: "" })) ?? to },
  };
}

/** Of a group of addresses, its members. */
function mailboxes(address: Address): MailAddress[] {
  const found = address.group ?? [address];
  return found.map(({ address: mailbox, name }) => ({ address: mailbox, name }));
}

function byName(headers: readonly { key: string; value: string }[]): CaughtMail["headers"] {
  const values = Map.groupBy(headers, ({ key }) => key);
  return Object.fromEntries(
    [...values].map(([key, found]) => {
      const [first = "", ...more] = found.map(({ value }) => value);
      return [key, more.length === 0 ? first : [first, ...more]];
    }),
  );
}
