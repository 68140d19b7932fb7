import type { IncomingStatement } from "./incoming-statement.ts";
import { stringLiteral } from "./literals.ts";
import type { InsertDataStatement, RowsStatement } from "./statement-kinds.ts";

/** The engine remembers the beginning of long statements only; the mark must be within it. */
const LONG_BYTES = 50_000;

/** Puts the mark where it moves no position that an error message may name. */
function marked(text: string, comment: string): string {
  return text.length > LONG_BYTES ? `${comment} ${text}` : `${text} ${comment}`;
}

function slice(text: Buffer, start: number, end: number): string {
  return text.toString("utf8", start, end);
}

/** A statement without data and without a streamed result. */
export function renderPlain(text: Buffer, end: number, comment: string): string {
  return marked(slice(text, 0, end), comment);
}

/** A statement whose result goes to a pipe in the given format. */
export function renderRows(
  text: Buffer,
  statement: RowsStatement,
  target: { pipe: string; format: string; comment: string },
): string {
  const core = marked(slice(text, 0, statement.coreEnd), target.comment);
  const outfile = `INTO OUTFILE ${stringLiteral(target.pipe)} APPEND COMPRESSION 'none'`;
  return `${core} ${outfile} FORMAT ${target.format}${slice(text, ...statement.tail)}`;
}

/** An INSERT whose rows come from a file. */
export function renderInsert(
  { text }: IncomingStatement,
  statement: InsertDataStatement,
  source: { file: string; format: string; comment: string },
): string {
  const head = slice(text, 0, statement.targetEnd);
  const settings = slice(text, ...statement.settings);
  const infile = `FROM INFILE ${stringLiteral(source.file)} COMPRESSION 'none'`;
  return `${head} ${source.comment} ${infile} ${settings} FORMAT ${source.format}`;
}
