/** Codes of ClickHouse's ErrorCodes.cpp that are raised or told apart here. */
export const CODE = {
  badArguments: 36,
  notImplemented: 48,
  syntaxError: 62,
  unknownSetting: 115,
  unknownTypeOfQuery: 63,
  readonly: 164,
  intoOutfileNotAllowed: 171,
  tooManySimultaneousQueries: 202,
  abortedByShutdown: 236,
  zlibInflateFailed: 354,
  sessionNotFound: 372,
  sessionIsLocked: 373,
  invalidSessionTimeout: 374,
  authenticationFailed: 516,
  stdException: 1001,
} as const;

/** A refusal in ClickHouse's words: `Code: 62. DB::Exception: … (SYNTAX_ERROR)`. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: number;

  constructor(code: number, text: string, options?: ErrorOptions) {
    super(text, options);
    this.code = code;
  }
}

/** A refusal of this side, in the engine's form. `type` is the code's symbolic name. */
export function refusal(code: number, type: string, message: string): EngineError {
  return new EngineError(code, `Code: ${code}. DB::Exception: ${message} (${type})`);
}

/** The engine repeats its prefix when an error passes through two of its layers. */
const REPEATED_PREFIX = /^(?:Code: \d+\. DB::Exception: )+(?=Code: \d+\. DB::Exception: )/;

/**
 * What this side adds to a statement: its mark, and the file or pipe through which data passes. An
 * error must quote the statement as its author wrote it.
 */
const ADDED_TEXT =
  / ?\/\*statement:[0-9a-f-]*\*\/| INTO OUTFILE '\d+\.pipe' APPEND COMPRESSION 'none'| ?FROM INFILE '\d+\.body' COMPRESSION 'none'|: \(in file\/uri [^)]*\)/g;

/** Makes an EngineError of what the addon threw; text and code stay the engine's. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const raw = error instanceof Error ? error.message : String(error);
  const text = raw.replace(REPEATED_PREFIX, "").replace(ADDED_TEXT, "").trim();
  const code = Number(/^Code: (\d+)/.exec(text)?.[1] ?? CODE.stdException);
  const told = text.startsWith("Code:")
    ? text
    : `Code: ${code}. DB::Exception: ${text} (STD_EXCEPTION)`;
  return new EngineError(code, told, { cause: error });
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
  if (code === CODE.notImplemented) return 501;
  if (code === CODE.abortedByShutdown) return 503;
  return 500;
}
