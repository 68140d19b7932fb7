import { readFileSync } from "node:fs";

import type { OnAnswer } from "@pro-talent/ledger/domains/billing/payments/testing/stripe-server";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { z } from "zod";

const Description = z.object({
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
const Named = z.object({ object: z.string() });
const List = z.object({ data: z.array(z.unknown()) });

/**
 * Checks answers against Stripe's published OpenAPI description (github.com/stripe/openapi, MIT). The
 * file is several megabytes and not part of the repository: `STRIPE_OPENAPI` names a copy, in JSON or
 * YAML. Without it only the types of Stripe's package check the objects.
 * @returns a check that throws with everything that is wrong; undefined without a file
 */
export function stripeDescription(file: string | undefined): OnAnswer | undefined {
  if (file === undefined || file === "") return undefined;
  const description = Description.parse(parse(readFileSync(file, "utf8")));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: "stripe", components: withNull(description.components) });
  const check = (value: unknown): void => {
    const object = Named.safeParse(value).data?.object;
    if (object === "list" || object === "search_result") {
      return List.parse(value).data.forEach(check);
    }
    const name = schemaOf(value, object);
    const validate = ajv.getSchema(`stripe#/components/schemas/${name}`);
    if (validate === undefined) throw new Error(`Stripe describes no ${name}`);
    if (validate(value) === true) return undefined;
    throw new Error(`Not as Stripe describes ${name}: ${ajv.errorsText(validate.errors)}`);
  };
  return check;
}

function schemaOf(value: unknown, object: string | undefined): string {
  if (object === undefined) return "error";
  const isDeleted = typeof value === "object" && value !== null && "deleted" in value;
  return isDeleted ? `deleted_${object}` : object;
}

/** `nullable` of OpenAPI 3.0 as JSON Schema has it. */
function withNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNull);
  if (typeof schema !== "object" || schema === null) return schema;
  const { nullable, ...rest } = z.record(z.string(), z.unknown()).parse(schema);
  const own = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, withNull(value)]),
  );
  return nullable === true ? { anyOf: [own, { type: "null" }] } : own;
}
