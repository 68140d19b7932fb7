const JSON_TYPE = "application/json; charset=UTF-8";
const NDJSON_TYPE = "application/x-ndjson; charset=UTF-8";
const BINARY_TYPE = "application/octet-stream";
const TEXT_TYPE = "text/plain; charset=UTF-8";
const TSV_TYPE = "text/tab-separated-values; charset=UTF-8";

const BINARY = new Set(
  "Native RowBinary RowBinaryWithNames RowBinaryWithNamesAndTypes RowBinaryWithDefaults Arrow ArrowStream Parquet ORC Avro MsgPack Protobuf ProtobufSingle ProtobufList CapnProto BSONEachRow Npy RawBLOB".split(
    " ",
  ),
);

const LINES_OF_JSON = new Set(
  "JSONEachRow JSONLines NDJSON JSONStringsEachRow JSONEachRowWithProgress JSONStringsEachRowWithProgress JSONCompactEachRow JSONCompactEachRowWithNames JSONCompactEachRowWithNamesAndTypes JSONCompactEachRowWithProgress JSONCompactStringsEachRow JSONCompactStringsEachRowWithNames JSONCompactStringsEachRowWithNamesAndTypes JSONCompactStringsEachRowWithProgress".split(
    " ",
  ),
);

/** The content type that a ClickHouse server gives to an output format. */
export function contentTypeOf(format: string): string {
  if (LINES_OF_JSON.has(format)) return NDJSON_TYPE;
  if (format.startsWith("JSON") || format === "PrettyJSONEachRow") return JSON_TYPE;
  if (format.startsWith("CSV") || format.startsWith("CustomSeparated")) {
    const header = format.includes("WithNames") ? "present" : "absent";
    return format.startsWith("CSV") ? `text/csv; charset=UTF-8; header=${header}` : TEXT_TYPE;
  }
  if (/^(?:TSV|TabSeparated)/.test(format)) return TSV_TYPE;
  if (BINARY.has(format)) return BINARY_TYPE;
  if (format === "XML") return "application/xml; charset=UTF-8";
  if (format === "Markdown") return "text/markdown; charset=UTF-8";
  return TEXT_TYPE;
}
