import { readFileSync } from "node:fs";

import { Ajv2020 } from "ajv/dist/2020.js";
import type { LightMyRequestResponse } from "fastify";
import { z } from "zod";

const Answer = z.object({
  content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })).optional(),
});
const Reference = z.object({
  $ref: z.string().transform((path) => path.replace("#/components/responses/", "")),
});
const Operation = z.object({ responses: z.record(z.string(), z.union([Reference, Answer])) });
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), Answer),
  }),
});

/** The published OpenAPI document, to compare with what a service answers. */
export function openDocumentedAnswers() {
  const file = new URL("../../../infra/docs/openapi.json", import.meta.url);
  const { paths, components } = Document.parse(JSON.parse(readFileSync(file, "utf8")));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const confirmed = new Set<string>();
  const resolved = (
    answer: z.infer<typeof Reference | typeof Answer> | undefined,
  ): z.infer<typeof Answer> | undefined =>
    answer && "$ref" in answer ? components.responses[answer.$ref] : answer;
  return {
    /** The calls under these paths, as `POST /api/…`. */
    callsUnder: (prefixes: readonly string[]): string[] =>
      Object.entries(paths)
        .filter(([path]) => prefixes.some((prefix) => path.startsWith(prefix)))
        .flatMap(([path, operations]) =>
          Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
        ),
    /** Those of which a documented success was seen. */
    confirmed: (): string[] => [...confirmed].toSorted(),
    /**
     * What is wrong with an answer to a call, in words; empty when it is as documented.
     * @param call as in the document: `GET /api/links/{id}`
     */
    faultsOf: (call: string, answer: LightMyRequestResponse): string[] => {
      const [method = "", path = ""] = call.split(" ");
      const operation = paths[path]?.[method.toLowerCase()];
      if (operation === undefined) return [`${call} is not documented`];
      const { statusCode: status } = answer;
      const documented = resolved(operation.responses[status] ?? operation.responses["default"]);
      const type = String(answer.headers["content-type"] ?? "").split(";", 1)[0] ?? "";
      if (status < 400) confirmed.add(call);
      if (documented?.content === undefined) return answer.body === "" ? [] : ["has a body"];
      const media = documented.content[type];
      if (media === undefined) return [`${status} has the undocumented type ${type}`];
      const validate = ajv.compile({ ...media.schema, components });
      return validate(answer.json())
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    },
  };
}
