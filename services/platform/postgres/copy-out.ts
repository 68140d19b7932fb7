import pg from "pg";

import { unavailableOr } from "./unavailable.ts";

/**
 * Receives one row of `copy … to stdout`: the bytes of one message, which are valid during the call
 * only. Those of the first row of a binary copy begin with its header.
 */
export type OnCopied = (bytes: Buffer) => void;

/** The driver calls `handleCopyData` for each row; everything else is as with other statements. */
class CopyOut extends pg.Query {
  readonly #onCopied: OnCopied;
  /** What `onCopied` threw: from an event of the socket it would end the process. */
  failure: { readonly error: unknown } | undefined;

  constructor(text: string, onCopied: OnCopied, onEnd: (error: Error | undefined) => void) {
    super(text, onEnd);
    this.#onCopied = onCopied;
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.failure !== undefined) return;
    try {
      this.#onCopied(chunk);
    } catch (error) {
      this.failure = { error };
    }
  }
}

/**
 * Runs `copy … to stdout`. Rows are handled while they arrive, so that memory stays small however many
 * there are.
 * @throws whatever `onCopied` throws, after the statement's end; PostgresUnavailable or PostgresError
 */
export async function copyOut(
  client: pg.ClientBase,
  text: string,
  onCopied: OnCopied,
): Promise<void> {
  const failure = await new Promise<CopyOut["failure"]>((resolve) => {
    const statement = new CopyOut(text, onCopied, (error) =>
      resolve(error ? { error: unavailableOr(error) } : statement.failure),
    );
    client.query(statement);
  });
  if (failure !== undefined) throw failure.error;
}
