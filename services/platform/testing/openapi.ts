import {
  type CallDefinition,
  type Calls,
  splitCallName,
} from "@pro-talent/schemas/primitives/calls";
import {
  platformProblems,
  Problem,
  type ProblemDefinition,
} from "@pro-talent/schemas/primitives/problem";
import { z } from "zod";

type JsonObject = { [name: string]: unknown };

/** Paths are written `/links/{id}` here and `/links/:id` in calls. */
const pathOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

/**
 * The OpenAPI 3.1 document of a set of calls. Requests are described as clients send them, answers as
 * they leave; problems by status, with the codes that a client may meet there.
 */
export function openApiDocument(title: string, calls: Calls): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const shared = sharedAnswers(calls);
  for (const [name, call] of Object.entries(calls)) {
    const { method, path } = splitCallName(name);
    const operations = (paths[pathOf(path)] ??= {});
    operations[method.toLowerCase()] = operationOf(call, shared);
  }
  const answers = [...shared].map(([contract, name]) => [name, schemaOf(contract, "output")]);
  return {
    openapi: "3.1.0",
    info: { title, version: "1" },
    paths,
    components: {
      schemas: {
        Problem: schemaOf(Problem, "output"),
        ...Object.fromEntries(answers),
        ...namedContracts(),
      },
      responses: { AnyCall: problemResponse(Object.values(platformProblems)) },
      securitySchemes: {
        internalToken: { type: "http", scheme: "bearer" },
        serverKey: { type: "http", scheme: "bearer" },
        signInToken: { type: "http", scheme: "bearer" },
      },
    },
  };
}

/** Contracts of answers by the name of their component. */
type Shared = ReadonlyMap<z.ZodType, string>;

/** What several calls answer stands in the document once, named after the first of them. */
function sharedAnswers(calls: Calls): Shared {
  const byAnswer = Map.groupBy(Object.entries(calls), ([, { answer }]) => answer);
  const several = [...byAnswer].filter(([, group]) => group.length > 1);
  return new Map(
    several.map(([answer, [[first] = [""]]]) => [answer, first.replaceAll(/[^a-zA-Z]+/g, "_")]),
  );
}

/** What calls without an account are made with. */
const credentials = { internal: "internalToken", keyed: "serverKey" } as const;

function operationOf(call: CallDefinition, shared: Shared): JsonObject {
  const { summary, params, query, body, access } = call;
  const parameters = [...parametersOf("path", params), ...parametersOf("query", query)];
  return {
    summary,
    ...(access !== "public" && {
      security: [{ [typeof access === "string" ? credentials[access] : "signInToken"]: [] }],
    }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBodyOf(call, body) }),
    responses: responsesOf(call, shared),
  };
}

function parametersOf(place: "path" | "query", contract: z.ZodObject | undefined): JsonObject[] {
  return Object.entries<z.ZodType>(contract?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === "path",
    schema: schemaOf(schema, "input"),
  }));
}

function requestBodyOf(call: CallDefinition, body: z.ZodType): JsonObject {
  const media = { schema: schemaOf(body, "input") };
  return {
    required: !body.safeParse(undefined).success,
    content: {
      "application/json": media,
      ...(call.plainForm && { "application/x-www-form-urlencoded": {} }),
    },
  };
}

function responsesOf(
  { answer, status = 200, also = {}, problems = [], plainForm }: CallDefinition,
  shared: Shared,
) {
  const name = shared.get(answer);
  const schema =
    name === undefined ? schemaOf(answer, "output") : { $ref: `#/components/schemas/${name}` };
  const responses: Record<string, JsonObject> = {
    [status]: { description: "Done", content: jsonContent(schema) },
  };
  for (const [other, contract] of Object.entries(also)) {
    responses[other] = {
      description: "Not done",
      content: jsonContent(schemaOf(contract, "output")),
    };
  }
  if (plainForm)
    responses["303"] = { description: "The answer to a plain form: a page of the site" };
  const byStatus = Map.groupBy(problems, (problem) => problem.status);
  for (const [code, group] of byStatus) responses[code] = problemResponse(group);
  responses["default"] = { $ref: "#/components/responses/AnyCall" };
  return responses;
}

function problemResponse(problems: readonly ProblemDefinition[]): JsonObject {
  const codes = problems.map(({ code }) => code);
  return {
    description: problems.length > 3 ? "A problem that any call may answer" : codes.join(", "),
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Problem" },
            { properties: { code: { enum: codes } } },
          ],
        },
      },
    },
  };
}

function jsonContent(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

const formats = new Set<string | undefined>(["uuid", "date-time"]);

type Direction = "input" | "output";

/** The component of a contract with an id of its own. */
const componentOf = (id: string, io: Direction): string => (io === "input" ? `${id}Sent` : id);

const schemaOptions = (io: Direction) =>
  ({
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
      // The pattern of a named format says the same at length.
      if (formats.has(jsonSchema.format)) delete jsonSchema.pattern;
      delete jsonSchema.id;
    },
  }) as const;

/** Contracts with an id (`meta({ id })`) stand in the document once: as they are sent, and as they are answered. */
function namedContracts(): JsonObject {
  const named: JsonObject = {};
  for (const io of ["input", "output"] as const) {
    const { schemas } = z.toJSONSchema(z.globalRegistry, schemaOptions(io));
    for (const [id, { $schema: _, $id: _id, $defs: _defs, ...schema }] of Object.entries(schemas))
      named[componentOf(id, io)] = withReferences(schema, io);
  }
  return named;
}

/** JSON Schema of a contract. */
function schemaOf(contract: z.ZodType, io: Direction): JsonObject {
  const { $schema: _, $defs: _defs, ...schema } = z.toJSONSchema(contract, schemaOptions(io));
  return withReferences(schema, io);
}

/** Refers to contracts with an id. The one recursive contract, any JSON value, is described as any value. */
function withReferences(schema: JsonObject, io: Direction): JsonObject {
  const replaced: unknown = JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !("$ref" in value)) return value;
    const id = /^#\/\$defs\/([A-Z]\w*)$|^([A-Z]\w*)$/u.exec(String(value.$ref));
    const name = id?.[1] ?? id?.[2];
    return name === undefined ? {} : { $ref: `#/components/schemas/${componentOf(name, io)}` };
  });
  return z.record(z.string(), z.unknown()).parse(replaced);
}

/**
 * A page for people: each call with its fields and problems.
 */
export function httpReference(calls: Calls): string {
  const sections = Object.entries(calls).map(([name, call]) => {
    const codes = (call.problems ?? []).map(({ code, status }) => `\`${code}\` (${status})`);
    return [
      `## ${name}`,
      "",
      `${call.summary}.${accessSentence(call)}${call.plainForm ? " Also takes a plain HTML form, which is answered with a redirect (303)." : ""}`,
      "",
      ...fieldsOf("Parameters", call.params, "input"),
      ...fieldsOf("Query", call.query, "input"),
      ...fieldsOf("Body", call.body, "input"),
      ...fieldsOf(`Answer ${call.status ?? 200}`, call.answer, "output"),
      ...(codes.length === 0 ? [] : [`Problems: ${codes.join(", ")}.`, ""]),
    ].join("\n");
  });
  return [
    "# HTTP reference",
    "",
    "Generated from `schemas/http-api.ts`, as is [openapi.json](openapi.json). Refusals are problem details",
    "(RFC 9457) with a stable `code`. Any call may answer these:",
    "",
    ...Object.values(platformProblems).map(
      ({ code, status, title }) => `- \`${code}\` (${status}): ${title}`,
    ),
    "",
    ...sections,
  ].join("\n");
}

function accessSentence({ access }: CallDefinition): string {
  if (access === "public") return "";
  if (access === "internal") return " For other services, with the internal token.";
  if (access === "keyed")
    return " For servers of the operator, with a key (`COLLECTOR_SERVER_KEYS`).";
  if ("scope" in access) return ` With an access token of the scope \`${access.scope}\`.`;
  const accounts = access.roles.join(" or ");
  return ` For accounts with the role ${accounts}${access.stepUp ? ", authenticated recently" : ""}.`;
}

function fieldsOf(
  title: string,
  contract: z.ZodType | undefined,
  io: "input" | "output",
): string[] {
  if (contract === undefined) return [];
  const { properties, required } = Fields.parse(schemaOf(contract, io));
  const fields = Object.entries(properties).map(([name, schema]) => {
    const kind = kindOf(schema) ?? "value";
    const optional = required.includes(name) ? "" : ", optional";
    return `\`${name}\` (${kind}${optional})`;
  });
  return fields.length === 0 ? [] : [`${title}: ${fields.join(", ")}.`, ""];
}

/** The type of a field in a word or two; of a field that may be null, that of its other values. */
function kindOf(schema: unknown): string | undefined {
  const known = Kind.parse(schema);
  // Contracts with an id are objects.
  if (known.$ref !== undefined) return "object";
  if (known.enum !== undefined) return known.enum.join(" or ");
  if (known.const !== undefined) return known.const;
  const types = [known.type ?? []].flat();
  if (types.length > 0) return types.find((type) => type !== "null");
  return known.anyOf?.map(kindOf).find((kind) => kind !== undefined);
}

const Kind = z.object({
  /** Several where a value may also be null. */
  type: z.union([z.string(), z.array(z.string())]).optional(),
  $ref: z.string().optional(),
  const: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  anyOf: z.array(z.unknown()).optional(),
});
const Fields = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});
