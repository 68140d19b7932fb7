import { expect, it } from "vitest";

import { createLogger } from "../runtime/logger.ts";
import { buildServer } from "./build-server.ts";

const app = buildServer({
  publicOrigin: undefined,
  log: createLogger({ service: "test", level: "silent" }),
});
app.post("/", async (request) => request.body);

const post = (payload: string | Buffer) =>
  app.inject({
    method: "POST",
    url: "/",
    payload,
    headers: { "content-type": "application/json" },
  });

it.each([
  ["text", '{"text":"שלום 👋"}'],
  ["a list", "[1,null,true]"],
  ["a name that only looks like one of a prototype", '{"proto":1,"text":"__proto__"}'],
  ["a constructor that is plain data", '{"constructor":"Acme Ltd"}'],
])("%s is read as it was sent", async (_what, text) => {
  expect((await post(text)).json()).toEqual(JSON.parse(text));
});

it.each([
  ["nothing", "", "malformed_json"],
  ["half a body", '{"a":', "malformed_json"],
  ["a prototype key", '{"__proto__":{"a":1}}', "malformed_json"],
  ["a prototype key in escapes", String.raw`{"a":[{"\u005f_proto__":{"a":1}}]}`, "malformed_json"],
  ["the prototype of a constructor", '{"constructor":{"prototype":{}}}', "malformed_json"],
  ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22]), "invalid_encoding"],
])("%s is refused", async (_what, body, code) => {
  const answer = await post(body);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code });
});
