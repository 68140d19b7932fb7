import { ClickHouseError } from "@clickhouse/client";

/**
 * What a failed call to ClickHouse says about the rows:
 * - `not_sent`: nobody answered the call, nothing can have been stored
 * - `refused`: a row cannot be read as the table wants it; nothing was stored, and never will be
 * - `unknown`: anything else; some tables may have stored the rows
 */
export type Outcome = "not_sent" | "refused" | "unknown";

/** Codes of ClickHouse (ErrorCodes.cpp) that speak of a value in the data, not of the server. */
const dataCodes = new Set([
  "6", // CANNOT_PARSE_TEXT
  "25", // CANNOT_PARSE_ESCAPE_SEQUENCE
  "26", // CANNOT_PARSE_QUOTED_STRING
  "27", // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  "38", // CANNOT_PARSE_DATE
  "41", // CANNOT_PARSE_DATETIME
  "69", // ARGUMENT_OUT_OF_BOUND
  "72", // CANNOT_PARSE_NUMBER
  "117", // INCORRECT_DATA
  "130", // CANNOT_READ_ARRAY_FROM_TEXT
  "131", // TOO_LARGE_STRING_SIZE
  "349", // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  "376", // CANNOT_PARSE_UUID
  "407", // DECIMAL_OVERFLOW
  "467", // CANNOT_PARSE_BOOL
  "691", // UNKNOWN_ELEMENT_OF_ENUM
  "705", // TOO_LARGE_ARRAY_SIZE
]);

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ClickHouseError) {
    // A field without a column is a table that is behind, not a bad row: it waits for the migration.
    const tableIsBehind = error.message.includes("Unknown field");
    return dataCodes.has(error.code) && !tableIsBehind ? "refused" : "unknown";
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ECONNREFUSED" ? "not_sent" : "unknown";
}
