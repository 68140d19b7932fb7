/** Bounds of analysts' queries: of one, of one analyst, and of all together. */
export const analystLimits = {
  textCharsMax: 20_000,
  parametersMax: 20,
  parameterCharsMax: 1_000,
  /** After so long a query is ended. */
  secondsMax: 20,
  /** A reader who takes nothing of a streamed result for so long is disconnected, and the query is ended. */
  stalledSecondsMax: 10,
  rowsReadMax: 500_000_000,
  bytesReadMax: 20_000_000_000,
  memoryBytesMax: 1_000_000_000,
  /** Of a result that is shown. */
  rowsShownMax: 10_000,
  /** Of a result that is sent as it comes: a file, or rows one by one. */
  fileRowsMax: 1_000_000,
  /** Of a result that is shown at once. */
  resultBytesMax: 32_000_000,
  /** Of a result that is sent as it comes. */
  fileBytesMax: 500_000_000,
  /** Queries at once: of one analyst, and of all. */
  runningEachMax: 2,
  runningMax: 4,
  /** Queries in the engine at once, one of each analyst; the others wait for them. Ready-made questions do not. */
  executingMax: 2,
  /** Of one analyst in an hour. */
  queriesPerHour: 600,
  /** Of a tool with one access token; the queries of an hour count as well. */
  toolCallsPerMinute: 600,
  rowsReadPerHour: 10_000_000_000,
  /** Ready-made questions and deliveries name no group of fewer visitors. */
  groupVisitorsMin: 5,
  /** Tiles and deliveries of saved queries name no smaller group, and round their numbers down to multiples of it. */
  queryGroupVisitorsMin: 10,
  /** Days of a ready-made question. */
  questionDaysMax: 400,
  listedMax: 100,
  titleCharsMax: 120,
  columnCharsMax: 200,
  chartColumnsMax: 8,
  tilesMax: 24,
  /** Saved queries and dashboards of one analyst, archived ones included. */
  savedMax: 500,
  /** Of one saved query or dashboard. */
  versionsMax: 500,
  deliveriesMax: 20,
  /** Of a table in a mail. */
  mailRowsMax: 20,
  mailColumnsMax: 6,
} as const;
