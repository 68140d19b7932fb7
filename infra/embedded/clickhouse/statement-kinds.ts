/** A statement whose output is a table: it can be streamed. Offsets are bytes. */
export type RowsStatement = {
  kind: "rows";
  /** End of the last token before `FORMAT`, or of the whole. */
  coreEnd: number;
  /** The format that the statement itself names. */
  format: string | undefined;
  /** What follows `FORMAT x` (settings). */
  tail: readonly [start: number, end: number];
};

/** An INSERT whose rows follow as data. Offsets are bytes. */
export type InsertDataStatement = {
  kind: "insert-data";
  /** End of the table name and column list. */
  targetEnd: number;
  /** The SETTINGS clause, empty when there is none. */
  settings: readonly [start: number, end: number];
  /** The format that the statement itself names. */
  format: string | undefined;
  /** Where the data begins, if it begins within this text. */
  dataStart: number;
};

/** Everything else. */
export type PlainStatement = { kind: "insert-select" | "command"; end: number };

export type Statement = RowsStatement | InsertDataStatement | PlainStatement;
