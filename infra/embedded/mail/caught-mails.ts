import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { keptSinceMs, retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";
import PostalMime from "postal-mime";

/** A mail as a reader of the catcher sees it. */
export type CaughtMail = {
  id: string;
  subject: string;
  text: string;
  html: string;
  /** By names in lower case; a list where a name occurs more than once. */
  headers: Record<string, string | string[]>;
  /** The recipients of the SMTP dialogue; those of the header once the process has restarted. */
  to: { address: string }[];
  envelope: { to: { address: string }[] };
};

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

  /** Mails that are in the directory already are part of the list. */
  static async open(directory: string): Promise<CaughtMails> {
    const names = (await readdir(directory)).filter((name) => name.endsWith(SUFFIX));
    const files = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(directory, name))).mtimeMs })),
    );
    const sorted = files.toSorted((left, right) => left.at - right.at);
    return new CaughtMails(
      directory,
      sorted.map(({ name }) => name.slice(0, -SUFFIX.length)),
    );
  }

  /** Resolves when the mail is in its file, which bears the time of a clock that tests may have moved. */
  async add(source: Buffer, recipients: readonly string[], nowMs: number): Promise<void> {
    const id = randomBytes(8).toString("hex");
    await writeFile(this.#fileOf(id), source, { mode: 0o600, flag: "wx" });
    await utimes(this.#fileOf(id), nowMs / 1000, nowMs / 1000);
    this.#recipients.set(id, recipients);
    this.#ids.push(id);
    if (this.#ids.length > MAILS_KEPT) await this.#delete(this.#ids.splice(0, 1));
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

  /** Deletes the mails that were caught so long ago that their time is over. */
  async forget(nowMs: number): Promise<void> {
    const sinceMs = keptSinceMs(retentionPeriods.caughtMails, nowMs);
    for (;;) {
      const [oldest] = this.#ids;
      if (oldest === undefined) return;
      const { mtimeMs } = await stat(this.#fileOf(oldest));
      if (mtimeMs >= sinceMs) return;
      await this.#delete(this.#ids.splice(0, 1));
    }
  }

  async empty(): Promise<void> {
    await this.#delete(this.#ids.splice(0));
  }

  #fileOf(id: string): string {
    return join(this.#directory, `${id}${SUFFIX}`);
  }

  async #delete(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.#recipients.delete(id);
      this.#parsed.delete(id);
      await rm(this.#fileOf(id), { force: true });
    }
  }

  #parse(id: string): Promise<CaughtMail> {
    const parsed = this.#parsed.get(id) ?? this.#read(id);
    this.#parsed.set(id, parsed);
    return parsed;
  }

  async #read(id: string): Promise<CaughtMail> {
    const mail = await PostalMime.parse(await readFile(this.#fileOf(id)));
    const named = (mail.to ?? []).flatMap(({ address }) => address ?? []);
    const to = (this.#recipients.get(id) ?? named).map((address) => ({ address }));
    const values = Map.groupBy(mail.headers, ({ key }) => key);
    const headers = Array.from(values, ([key, found]) => {
      const [first = "", ...more] = found.map(({ value }) => value);
      return [key, more.length === 0 ? first : [first, ...more]] as const;
    });
    return {
      id,
      subject: mail.subject ?? "",
      text: mail.text ?? "",
      html: mail.html ?? "",
      headers: Object.fromEntries(headers),
      to,
      envelope: { to },
    };
  }
}
