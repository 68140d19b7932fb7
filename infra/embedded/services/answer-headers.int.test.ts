import type { LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type OpenedService, openProduct } from "../../quality/testing/open-product.ts";
import { productServices } from "./product-services.ts";

const names = productServices.map(({ name }) => name);
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

let product: Awaited<ReturnType<typeof openProduct>>;
/** Of all answers. */
const statuses = new Set<number>();

beforeAll(async () => {
  product = await openProduct();
});
afterAll(() => product.close());

/** The paths of a service's routes. */
const pathsOf = ({ routes }: OpenedService): string[] => [
  ...new Set([...routes].map((route) => route.slice(route.indexOf(" ") + 1))),
];

/** Every method on every path, without a body, with a wrong one and with one that is too large. */
async function askEverything(service: OpenedService): Promise<[string, LightMyRequestResponse][]> {
  const { app } = service;
  const urls = pathsOf(service).map((path) =>
    path.replaceAll(/:\w+/g, "x").replace("*", "nothing"),
  );
  const answers: [string, LightMyRequestResponse][] = [];
  for (const url of [...urls, "/nothing/here", "/api/nothing", "/internal/nothing", "/%zz"]) {
    for (const method of methods) {
      const bodies =
        method === "POST" ? [undefined, {}, { text: "a".repeat(200_000) }] : [undefined];
      for (const payload of bodies) {
        const answer = await app.inject({ method, url, ...(payload && { payload }) });
        answers.push([`${method} ${url} ${answer.statusCode}`, answer]);
      }
    }
  }
  return answers;
}

/** Pages, files and share images say themselves how long they may be kept. */
const saysItself = (name: string, { headers }: LightMyRequestResponse): boolean =>
  name === "site" && /^(?:private|public)/.test(String(headers["cache-control"]));

test.each(names)("every answer of %s protects itself", async (name) => {
  const service = product.services.get(name);
  if (service === undefined) throw new Error(`${name} is not open`);
  const answers = await askEverything(service);
  const unprotected = answers.filter(
    ([, { headers }]) =>
      headers["x-content-type-options"] !== "nosniff" ||
      // The mail catcher has an address of its own, on this machine.
      (headers["strict-transport-security"] !== undefined) !== (name !== "mail"),
  );
  expect(unprotected.map(([call]) => call)).toEqual([]);
  const kept = answers.filter(
    ([, answer]) => answer.headers["cache-control"] !== "no-store" && !saysItself(name, answer),
  );
  expect(kept.map(([call]) => call)).toEqual([]);
  for (const [, { statusCode }] of answers) statuses.add(statusCode);
});

test("the routes of all services were asked, those between services too, and answered in every way", () => {
  const paths = [...product.services.values()].flatMap(pathsOf);
  const known = [
    "/healthz /readyz /metrics /lang /api/og /api/contact/send /api/analytics/session/start",
    "/internal/consent/decisions /internal/newsletter/bounces",
  ];
  expect(paths).toEqual(expect.arrayContaining(known.join(" ").split(" ")));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 413, 422]));
});
