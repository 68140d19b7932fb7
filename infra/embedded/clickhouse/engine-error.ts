/** Codes of ClickHouse's ErrorCodes.cpp that are raised or distinguished here, by their names. */
const CODES = {
  BAD_ARGUMENTS: 36,
  NOT_IMPLEMENTED: 48,
  SYNTAX_ERROR: 62,
  UNKNOWN_TYPE_OF_QUERY: 63,
  UNKNOWN_FORMAT: 73,
  UNKNOWN_SETTING: 115,
  READONLY: 164,
  INTO_OUTFILE_NOT_ALLOWED: 171,
  UNKNOWN_USER: 192,
  TOO_MANY_SIMULTANEOUS_QUERIES: 202,
  ABORTED: 236,
  ZLIB_INFLATE_FAILED: 354,
  SESSION_NOT_FOUND: 372,
  SESSION_IS_LOCKED: 373,
  ACCESS_ENTITY_ALREADY_EXISTS: 493,
  ACCESS_DENIED: 497,
  UNKNOWN_ROLE: 511,
  AUTHENTICATION_FAILED: 516,
  STD_EXCEPTION: 1001,
} as const;

/** A refusal in ClickHouse's form: `Code: 62. DB::Exception: … (SYNTAX_ERROR)`. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: number;

  constructor(code: number, text: string, options?: ErrorOptions) {
    super(text, options);
    this.code = code;
  }
}

/** A refusal by this interface, in the engine's form. */
export function refusal(type: keyof typeof CODES, message: string): EngineError {
  return new EngineError(CODES[type], `Code: ${CODES[type]}. DB::Exception: ${message} (${type})`);
}

/** Of a request with more than one statement. */
export function multiStatements(): EngineError {
  const message = "Syntax error (Multi-statements are not allowed): one statement per request.";
  return refusal("SYNTAX_ERROR", message);
}

/** The engine repeats its prefix when an error passes through two of its layers. */
const REPEATED_PREFIX = /^(?:Code: \d+\. DB::Exception: )+(?=Code: \d+\. DB::Exception: )/;

/**
 * What this interface adds to a statement: its mark, and the file or pipe through which data passes. An
 * error must quote the statement as its author wrote it. The engine may have cut the text.
 */
const ADDED_TEXT =
  / ?\/\*statement:[0-9a-f:-]*(?:\*\/|\.\.\.)| INTO OUTFILE '\d+\.pipe(?:(?!\.\.\.)[^\n])*?(?:COMPRESSION 'none'|\.\.\.)| ?FROM INFILE '\d+\.(?:body|table)' COMPRESSION 'none'|: \(in file\/uri [^)]*\)/g;

/** Makes an EngineError of what the addon threw; text and code stay the engine's. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const raw = error instanceof Error ? error.message : String(error);
  const text = raw.replace(REPEATED_PREFIX, "").replace(ADDED_TEXT, "").trim();
  const code = Number(/^Code: (\d+)/.exec(text)?.[1] ?? CODES.STD_EXCEPTION);
  const message = text.startsWith("Code:")
    ? text
    : `Code: ${code}. DB::Exception: ${text} (STD_EXCEPTION)`;
  return new EngineError(code, message, { cause: error });
}

const BAD_REQUEST = new Set([
  6, 15, 25, 26, 27, 36, 38, 41, 44, 53, 62, 72, 117, 376, 427, 441, 456, 457, 675, 676,
]);
const NOT_FOUND = new Set([46, 47, 50, 56, 60, 63, 73, 81, 115, 336, 511]);
const FORBIDDEN = new Set([192, 193, 497, 512, 516]);

/** The HTTP status that a ClickHouse server gives to an error code. */
export function httpStatusOf(code: number): number {
  if (BAD_REQUEST.has(code)) return 400;
  if (NOT_FOUND.has(code)) return 404;
  if (FORBIDDEN.has(code)) return 403;
  if (code === CODES.NOT_IMPLEMENTED) return 501;
  if (code === CODES.ABORTED) return 503;
  return 500;
}
