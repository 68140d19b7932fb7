import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import { analystViews, isViewName } from "@pro-talent/schemas/analysts/views";

/**
 * What a query of an analyst may use: one definition, which the gate enforces for every engine, and from which the
 * users, rights, quotas and settings of a server are made. What is not named here is refused.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/u);

/** Functions of single values. None reads a file, a setting, another table, or who asks. */
const scalars = words(`
  plus minus multiply divide intDiv modulo negate abs round floor ceil trunc sqrt pow exp ln log2 log10 sign
  equals notEquals less lessOrEquals greater greaterOrEquals and or not xor in notIn globalIn globalNotIn nullIn
  notNullIn isNull isNotNull isDistinctFrom isNotDistinctFrom exists like notLike ilike notILike
  if multiIf caseWithExpression caseWithoutExpression coalesce ifNull nullIf assumeNotNull toNullable greatest least
  isNaN isFinite ifNotFinite divideOrNull moduloOrNull intDivOrZero empty notEmpty
  cast _cast accurateCastOrNull toString toDate toDateTime toDateTime64 toUInt8 toUInt16 toUInt32 toUInt64 toInt8 toInt16
  toInt32 toInt64 toFloat32 toFloat64 toDateOrNull toDateTimeOrNull toInt64OrNull toUInt64OrNull toFloat64OrNull
  toFloat64OrZero toUInt64OrZero toInt64OrZero toUUID toTypeName toBool toDecimal64 toLowCardinality
  length lengthUTF8 lower lowerUTF8 upper upperUTF8 concat substring substringUTF8 left right leftUTF8 rightUTF8
  position positionCaseInsensitive positionUTF8 positionCaseInsensitiveUTF8 startsWith startsWithUTF8 endsWith endsWithUTF8
  trimBoth trimLeft trimRight replaceOne replaceAll
  replaceRegexpOne replaceRegexpAll match extract extractAll splitByChar splitByString arrayStringConcat
  countSubstrings path domain domainWithoutWWW cutToFirstSignificantSubdomain topLevelDomain decodeURLComponent
  concatWithSeparator leftPad rightPad reverse initcap toValidUTF8 base64Decode formatDateTime formatReadableQuantity
  formatReadableTimeDelta transform dateName monthName
  toYear toQuarter toMonth toWeek toISOWeek toISOYear toDayOfWeek toDayOfMonth toDayOfYear toHour toMinute toSecond
  toMonday toStartOfYear toStartOfQuarter toStartOfMonth toStartOfWeek toStartOfDay toStartOfHour toStartOfMinute
  toStartOfInterval toStartOfFifteenMinutes toStartOfFiveMinutes toYYYYMM toYYYYMMDD toYearWeek toLastDayOfMonth
  toUnixTimestamp toUnixTimestamp64Milli fromUnixTimestamp fromUnixTimestamp64Milli toTimeZone timeZoneOffset
  dateDiff dateTrunc addSeconds addMinutes addHours addDays
  addWeeks addMonths addYears subtractDays subtractWeeks subtractMonths subtractYears now today yesterday toRelativeDayNum
  toRelativeWeekNum toRelativeMonthNum toIntervalMillisecond toIntervalSecond toIntervalMinute toIntervalHour toIntervalDay toIntervalWeek
  toIntervalMonth toIntervalQuarter toIntervalYear parseDateTimeBestEffort parseDateTimeBestEffortOrNull
  parseDateTime64BestEffort parseDateTime64BestEffortOrNull
  array tuple tupleElement arrayElement arrayConcat arraySort arrayReverseSort arrayDistinct arrayUniq arrayCount arraySum
  arrayAvg arrayMin arrayMax arrayMap arrayFilter arrayExists arrayAll arrayFirst arrayLast arrayFirstIndex arrayReverse
  arraySlice arrayEnumerate arrayZip arrayJoin arrayCumSum arrayDifference arrayPushBack arrayPushFront arrayCompact has
  hasAny hasAll indexOf range lambda map mapKeys mapValues mapContains grouping
  JSONExtract JSONExtractString JSONExtractInt JSONExtractUInt JSONExtractFloat JSONExtractBool JSONExtractRaw
  JSONExtractKeys JSONHas JSONLength JSONType isValidJSON roundDown widthBucket bar
  bitAnd bitOr bitShiftLeft bitShiftRight bitCount bitPositionsToArray
`);

/** Functions of many rows, and of windows. */
const aggregates = words(`
  count sum avg min max any anyLast uniq uniqExact uniqCombined uniqHLL12 median quantile quantiles quantileExact
  quantileExactInclusive quantilesExactInclusive quantileTDigest quantilesTDigest medianExact argMin argMax groupArray
  groupUniqArray groupArraySorted topK varSamp varPop stddevSamp stddevPop corr covarSamp simpleLinearRegression
  windowFunnel retention countDistinct first_value last_value nth_value row_number rank dense_rank percent_rank
  ntile lag lead lagInFrame leadInFrame deltaSum entropy groupBitOr groupBitAnd
`);
const combinators = words("If Array Distinct OrNull OrDefault");

/** All that may be named. */
export const allowedFunctions: readonly string[] = [...scalars, ...aggregates].toSorted();

const lower = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));
const lowerScalars = lower(scalars);
const lowerAggregates = lower(aggregates);
const combined = new RegExp(`(?:${combinators.join("|")})$`, "iu");

/** Also with one or two combinators, as in `sumIf`. */
export function isAllowedFunction(name: string): boolean {
  const plain = name.toLowerCase();
  if (lowerScalars.has(plain) || lowerAggregates.has(plain)) return true;
  const once = plain.replace(combined, "");
  return lowerAggregates.has(once) || lowerAggregates.has(once.replace(combined, ""));
}

/** Of one row, and answering one value. */
export const isScalarFunction = (name: string): boolean =>
  lowerScalars.has(name.toLowerCase()) && name.toLowerCase() !== "arrayjoin";

/** Functions that stand for a table; its rows count like others. */
export const allowedTableFunctions: readonly string[] = ["numbers"];

/** Parts of a query, as the engine's `EXPLAIN AST` names them. Transformers call functions by a text, so that none is among them. */
export const allowedNodes: ReadonlySet<string> = new Set(
  words(`
  SelectWithUnionQuery SelectQuery SelectIntersectExceptQuery ExpressionList Subquery WithElement
  TablesInSelectQuery TablesInSelectQueryElement TableExpression TableIdentifier TableJoin ArrayJoin
  Identifier Asterisk QualifiedAsterisk Literal Function OrderByElement WindowListElement WindowDefinition
`),
);

/** Types of parameters; an identifier is none, as it could name a table. */
export const allowedParameterType =
  /^(?:(?:Array|Nullable|Map|Tuple)\(|(?:Date|DateTime|String|UUID|Boolean|Bool|U?Int(?:8|16|32|64)|Float(?:32|64)|DateTime64\(\d\))|\)|,\s*)+$/u;

/** A name that stands for something in `FROM`. `system.one` is what a query without `FROM` reads. */
export const isOpenTable = (name: string): boolean => isViewName(name) || name === "system.one";

/** For the view of a key: no parameter of an analyst may have its name. */
export const keyParameter = "_pseudonym_key";

/**
 * Settings of every query, and of the profile of analysts on a server: there a value other than these is refused.
 * Nothing is kept in a cache, so that no analyst learns from the time of an answer what another one asked.
 */
export const querySettings = {
  max_threads: 1,
  priority: "10",
  // The kernel serves every other thread first; where the engine may not say so, this does nothing.
  os_threads_nice_value_query: "19",
  max_execution_time: limit.secondsMax,
  timeout_overflow_mode: "throw",
  max_memory_usage: String(limit.memoryBytesMax),
  max_bytes_before_external_group_by: "0",
  max_bytes_before_external_sort: "0",
  max_rows_to_read: String(limit.rowsReadMax),
  max_bytes_to_read: String(limit.bytesReadMax),
  read_overflow_mode: "throw",
  max_result_rows: String(limit.fileRowsMax),
  max_result_bytes: String(limit.fileBytesMax),
  // A file begins to be sent when so many rows are there.
  output_format_parquet_row_group_size: "100000",
  result_overflow_mode: "throw",
  function_range_max_elements_in_block: "1000000",
  max_ast_depth: "300",
  max_ast_elements: "5000",
  max_expanded_ast_elements: "100000",
  max_subquery_depth: "20",
  max_columns_to_read: "200",
  max_rows_in_join: "20000000",
  max_rows_in_set: "20000000",
  use_query_cache: 0,
  use_uncompressed_cache: 0,
  use_query_condition_cache: 0,
  query_plan_remove_redundant_sorting: 0,
  allow_introspection_functions: 0,
  log_queries: 0,
  output_format_json_quote_64bit_integers: 0,
  cancel_http_readonly_queries_on_client_close: 1,
  readonly: "1",
} as const;

/** Settings of the ready-made questions, whose cost is known: they may use both cores of a small machine. */
export const questionSettings = { ...querySettings, max_threads: 2 } as const;

/** The comment by which a query is found among those that run. */
export const markOf = (queryId: string): string => `/* query ${queryId} */`;

/** Settings of the form of a result, which tools may state. */
export const outputSettings: ReadonlySet<string> = new Set(
  words(`
  output_format_json_quote_64bit_integers output_format_json_quote_denormals output_format_json_quote_decimals
  output_format_json_escape_forward_slashes output_format_binary_write_json_as_string date_time_output_format
  output_format_csv_crlf_end_of_line session_timezone limit offset
`),
);

/** The name of a view in the database. */
export const storedView = (view: string): string => `analyst_${view}`;

const countedViews: ReadonlySet<string> = new Set(["sessions", "page_views"]);
const isKeyed = (view: string): boolean => isViewName(view) && analystViews[view].isKeyed;
/** There are such views under the ids of the store, for queries whose result counts visitors and names none. */
export const areCounted = (views: readonly string[]): boolean =>
  views.every((view) => countedViews.has(view) || !isKeyed(view));

/**
 * The query as it is executed: each view that it names is one of the analyst, whatever else has its name.
 * @param sql the canonical text, which the gate has let through
 */
export function executedSql(
  sql: string,
  {
    views,
    database,
    rowsMax,
    queryId,
    isCounting,
  }: {
    views: readonly string[];
    database: string;
    rowsMax: number;
    queryId: string;
    isCounting: boolean;
  },
): string {
  const sources = views.filter(isViewName).map((view) => {
    const key = isKeyed(view) ? `(${keyParameter} = {${keyParameter}:String})` : "";
    const isOfStore = isCounting && isKeyed(view);
    const name = isOfStore ? `counted_${view}` : `${storedView(view)}${key}`;
    const source = `\`${database}\`.${name}`;
    return `${view} AS (SELECT ${Object.keys(analystViews[view].columns).join(", ")} FROM ${source})`;
  });
  const within = sources.length === 0 ? "" : `WITH ${sources.join(", ")} `;
  // One more than may be, so that it is known whether there are more.
  return `${markOf(queryId)} ${within}SELECT * FROM (${sql}) LIMIT ${rowsMax + 1}`;
}
