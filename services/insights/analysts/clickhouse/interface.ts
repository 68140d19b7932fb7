import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";

import { ClickHouseError } from "@clickhouse/client";
import { admissionHook, tokenHolderOf } from "@pro-talent/platform/http/admission";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitTokens } from "@pro-talent/platform/http/rate-limit";
import { Query } from "@pro-talent/schemas/analysts/calls";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { type AnalystsContext, streamAsAnalyst } from "../ask-as-analyst.ts";
import { queryProblem } from "../faults.ts";
import { canonical } from "../gate.ts";
import { outputSettings } from "../policy.ts";
import { asQuery } from "./catalogue.ts";
import { nativeBlocks } from "./native-blocks.ts";

/** Where tools find ClickHouse's HTTP interface. */
const path = "/api/v1/analytics/clickhouse";

/** Tools ask several questions at once, and do not repeat one that was refused. */
const waitMs = 10_000;

/** Formats that read nothing but the result. */
const formats =
  /^(?:JSON\w*|NDJSON|CSV\w*|TSV\w*|TSKV|TabSeparated\w*|Values|Pretty\w*|Vertical|XML|Markdown|RowBinary(?:WithNames(?:AndTypes)?)?|Native|Parquet|ArrowStream|Arrow|MsgPack|ORC|Avro|Null)$/u;

/**
 * ClickHouse's HTTP interface for the tools of analysts, behind the same gate, limits and record as every query. The
 * password is an access token of the scope `analytics:query`; the user may be any.
 */
export async function addClickhouseInterface(
  scope: FastifyInstance,
  context: AnalystsContext,
): Promise<void> {
  await scope.register(async (asked) => {
    await limitTokens(asked, analystLimits.toolCallsPerMinute);
    asked.removeAllContentTypeParsers();
    asked.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) =>
      done(null, body),
    );
    asked.addHook("onRequest", async (request) => {
      const token = passwordOf(request.headers);
      if (token === undefined) return;
      isTool.add(request);
      request.headers.authorization = `Bearer ${token}`;
    });
    asked.setErrorHandler((error, request, reply) => {
      // Without credentials of ClickHouse the caller is none of its tools.
      if (!(error instanceof ProblemError) || !isTool.has(request)) throw error;
      return refuse(error, reply);
    });
    const onRequest = admissionHook(asked, { scope: "analytics:query" });
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      isTool.add(request);
      return await answer(context, request, reply);
    };
    asked.route({ method: ["GET", "POST"], url: path, handler, ...(onRequest && { onRequest }) });
  });
  scope.get(`${path}/ping`, (_request, reply) => reply.type("text/plain").send("Ok.\n"));
}

/** Requests whose errors have the form of ClickHouse's. */
const isTool = new WeakSet<FastifyRequest>();

/** Not from the address: it is written into logs of proxies. */
function passwordOf(headers: FastifyRequest["headers"]): string | undefined {
  const key = headers["x-clickhouse-key"];
  if (key !== undefined) return String(key);
  const basic = /^Basic +(\S+)$/iu.exec(headers.authorization ?? "")?.[1];
  if (basic === undefined) return undefined;
  return Buffer.from(basic, "base64").toString("utf8").split(":").slice(1).join(":");
}

async function answer(
  context: AnalystsContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accountId } = tokenHolderOf(request);
  const options = new URL(request.url, "http://server").searchParams;
  const body = typeof request.body === "string" ? request.body : "";
  const settings = settingsOf(options);
  const text = [options.get("query") ?? "", body].join("\n").trim();
  // What a client asks of an address to see whether it is there.
  if (text === "") return await reply.type("text/plain").send("Ok.\n");
  const asked = Query.safeParse({
    queryId: Uuid.safeParse(options.get("query_id")).data ?? randomUUID(),
    text,
    parameters: Object.fromEntries(
      [...options].flatMap(([name, value]) =>
        name.startsWith("param_") ? [[name.slice("param_".length), value]] : [],
      ),
    ),
  });
  if (!asked.success)
    throw queryProblem("query_wrong", "The query or its parameters are too long.");
  const { parser } = context.engineOf(accountId);
  const statement = await canonical(parser, text, "formatQuerySingleLine");
  const { core = statement, named } =
    /^(?<core>[^]*?)(?: FORMAT (?<named>\w+))?$/u.exec(statement)?.groups ?? {};
  const format = named ?? formatOf(options, request.headers);
  if (!formats.test(format))
    throw queryProblem("query_refused", `The format ${format} is not open.`);
  const { stream, type } = await streamAsAnalyst(
    context,
    { analystId: accountId, channel: "program" },
    {
      ...asked.data,
      isEscaped: true,
      waitMs,
      runs: asQuery(core),
      format: "other",
      otherFormat: format,
      settings,
    },
  );
  const version = format === "Native" ? Number(options.get("client_protocol_version") ?? 0) : 0;
  return await reply
    .header("X-ClickHouse-Query-Id", asked.data.queryId)
    .header("X-ClickHouse-Format", format)
    .header("X-ClickHouse-Timezone", "UTC")
    .type(type)
    .send(version > 0 ? nativeBlocks(stream, version) : stream);
}

const formatOf = (options: URLSearchParams, headers: FastifyRequest["headers"]): string =>
  options.get("default_format") ?? String(headers["x-clickhouse-format"] ?? "TabSeparated");

/** Bodies in ClickHouse's own blocks; compression by HTTP is the proxy's. */
const notCompressed =
  "Bodies are not compressed in ClickHouse's own way here. State compress=0 (JDBC: compress=false).";
const isOff = /^(?:0|false)?$/iu;

/** Of the form of a result. Limits of a tool are not needed: those of analysts hold; anything else is refused. */
function settingsOf(options: URLSearchParams): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value] of options) {
    if (name.startsWith("param_") || ignored.test(name)) continue;
    if (/^(?:de)?compress$/u.test(name)) {
      if (isOff.test(value)) continue;
      throw queryProblem("query_refused", notCompressed);
    }
    if (!outputSettings.has(name)) {
      throw queryProblem("query_refused", `The setting ${name} is not open to analysts.`);
    }
    settings[name] = value;
  }
  return settings;
}

const ignored =
  /^(?:query|query_id|database|default_format|session_(?:id|timeout|check)|enable_http_compression|(?:http_)?wait_end_of_query|send_progress_in_http_headers|http_\w+|max_\w+|readonly|client_\w+|async|log_comment|priority|result_overflow_mode|cancel_http_readonly_queries_on_client_close|add_http_cors_header|buffer_size|role|user|quota_key)$/u;

/** ClickHouse's names and numbers of errors, by the code of a problem. */
const codes: Readonly<Record<string, readonly [number, string]>> = {
  query_wrong: [62, "SYNTAX_ERROR"],
  query_refused: [497, "ACCESS_DENIED"],
  query_limited: [307, "TOO_MANY_BYTES"],
  query_cancelled: [394, "QUERY_WAS_CANCELLED"],
  queries_running: [202, "TOO_MANY_SIMULTANEOUS_QUERIES"],
  rate_limited: [202, "TOO_MANY_SIMULTANEOUS_QUERIES"],
  query_quota_used: [201, "QUOTA_EXCEEDED"],
  query_id_used: [216, "QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING"],
  unauthorized: [516, "AUTHENTICATION_FAILED"],
  scope_missing: [497, "ACCESS_DENIED"],
};

function refuse(problem: ProblemError, reply: FastifyReply): FastifyReply {
  const { cause } = problem;
  const isOfEngine = problem.code === "query_wrong" && cause instanceof ClickHouseError;
  const [code, type] = isOfEngine
    ? [Number(cause.code), cause.type ?? "UNKNOWN_EXCEPTION"]
    : (codes[problem.code] ?? [1002, "UNKNOWN_EXCEPTION"]);
  const { status } = problem.problem;
  const message = problem.errors?.[0]?.message ?? STATUS_CODES[status] ?? problem.code;
  return reply
    .code(status)
    .header("X-ClickHouse-Exception-Code", String(code))
    .type("text/plain; charset=UTF-8")
    .send(`Code: ${code}. DB::Exception: ${message} (${type})\n`);
}
