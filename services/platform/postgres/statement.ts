import pg from "pg";

/** What may stand in a statement: a parameter, a quoted name, or another statement's text. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly (string | number | boolean | Uint8Array)[]
  | SqlText
  | Statement<readonly object[]>;

export type Result<Rows extends readonly object[]> = Rows & {
  /** Rows that were read or changed. */
  readonly count: number;
};

/** A statement's text with numbered parameters. */
export type Prepared = { readonly text: string; readonly values: readonly unknown[] };

type Run<Rows extends readonly object[]> = (prepared: Prepared) => Promise<Result<Rows>>;

/** A part of a statement that is no parameter, made by the program itself; never input. */
export class SqlText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A quoted name; the parts of `schema.table` are quoted one by one. */
export class Identifier extends SqlText {
  constructor(name: string) {
    super(
      name
        .split(".")
        .map((part) => pg.escapeIdentifier(part))
        .join("."),
    );
  }
}

/**
 * A statement runs when it is awaited, once. Not awaited, it can stand inside another statement,
 * with its parameters.
 */
export class Statement<Rows extends readonly object[]> implements PromiseLike<Result<Rows>> {
  readonly #text: readonly string[];
  readonly #values: readonly SqlValue[];
  readonly #run: Run<Rows>;
  #result: Promise<Result<Rows>> | undefined;

  constructor(text: readonly string[], values: readonly SqlValue[], run: Run<Rows>) {
    this.#text = text;
    this.#values = values;
    this.#run = run;
  }

  /** The text with parameters numbered on from those that are there already. */
  prepare(values: unknown[] = []): Prepared {
    let text = this.#text[0] ?? "";
    for (const [index, value] of this.#values.entries()) {
      if (value instanceof SqlText) text += value.text;
      else if (value instanceof Statement) text += value.prepare(values).text;
      else text += `$${values.push(value)}`;
      text += this.#text[index + 1] ?? "";
    }
    return { text, values };
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a statement is what runs it
  then<Kept = Result<Rows>, Lost = never>(
    kept?: ((rows: Result<Rows>) => Kept | PromiseLike<Kept>) | null,
    lost?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null,
  ): Promise<Kept | Lost> {
    this.#result ??= this.#run(this.prepare());
    return this.#result.then(kept, lost);
  }
}
