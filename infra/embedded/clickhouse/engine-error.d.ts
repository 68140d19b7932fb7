/** Codes of ClickHouse's ErrorCodes.cpp that are raised or told apart here. */
export declare const CODE: {
  readonly badArguments: 36;
  readonly notImplemented: 48;
  readonly syntaxError: 62;
  readonly unknownSetting: 115;
  readonly unknownTypeOfQuery: 63;
  readonly readonly: 164;
  readonly intoOutfileNotAllowed: 171;
  readonly tooManySimultaneousQueries: 202;
  readonly abortedByShutdown: 236;
  readonly zlibInflateFailed: 354;
  readonly sessionNotFound: 372;
  readonly sessionIsLocked: 373;
  readonly invalidSessionTimeout: 374;
  readonly authenticationFailed: 516;
  readonly stdException: 1001;
};
/** A refusal in ClickHouse's words: `Code: 62. DB::Exception: … (SYNTAX_ERROR)`. */
export declare class EngineError extends Error {
  readonly name = "EngineError";
  readonly code: number;
  constructor(code: number, text: string, options?: ErrorOptions);
}
/** A refusal of this side, in the engine's form. `type` is the code's symbolic name. */
export declare function refusal(code: number, type: string, message: string): EngineError;
/** Makes an EngineError of what the addon threw; text and code stay the engine's. */
export declare function toEngineError(error: unknown): EngineError;
/** The HTTP status that a ClickHouse server gives to an error code. */
export declare function httpStatusOf(code: number): number;
