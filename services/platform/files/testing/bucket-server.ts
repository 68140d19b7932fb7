import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

import { z } from "zod";

export const bucketCredentials = {
  region: "eu-central-1",
  accessKeyId: "key-of-the-tests",
  secretAccessKey: "secret-of-the-tests",
};

const Authorization =
  /^AWS4-HMAC-SHA256 Credential=(\S+?)\/(\d{8})\/(\S+?)\/s3\/aws4_request, SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/u;
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();
const sha256 = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

/**
 * Whether a request is signed as AWS Signature Version 4 demands ("Authenticating Requests: Using the
 * Authorization Header", API reference of Amazon S3), written from that text and not from the client.
 */
function isSigned({ method, headers, url = "" }: IncomingMessage, body: Buffer): boolean {
  const [, keyId, day = "", region = "", names = "", signature] =
    Authorization.exec(headers.authorization ?? "") ?? [];
  const at = String(headers["x-amz-date"]);
  const { pathname, searchParams } = new URL(url, "http://bucket");
  searchParams.sort();
  const query = [...searchParams]
    .map((pair) => pair.map((part) => encodeURIComponent(part)).join("="))
    .join("&");
  const lines = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const hash = String(headers["x-amz-content-sha256"]);
  const request = [method, pathname, query, lines.join(""), names, hash].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const { secretAccessKey, accessKeyId } = bucketCredentials;
  const key = [region, "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${secretAccessKey}`, day));
  const expected = hmac(key, ["AWS4-HMAC-SHA256", at, scope, sha256(request)].join("\n"));
  return (
    keyId === accessKeyId &&
    region === bucketCredentials.region &&
    at.startsWith(day) &&
    names.split(";").includes("host") &&
    hash === sha256(body) &&
    signature === expected.toString("hex")
  );
}

const namesPerAnswer = 2;

/** A bucket `files` in memory with as much of the S3 protocol as the product uses. */
export async function startBucket() {
  const objects = new Map<string, { content: Buffer; changed: Date }>();
  let failures = 0;
  const answer = async (request: IncomingMessage): Promise<[number, string | Buffer]> => {
    const body = await buffer(request);
    if (failures > 0) {
      failures -= 1;
      return [503, "<Error><Code>SlowDown</Code></Error>"];
    }
    if (!isSigned(request, body)) return [403, "<Error><Code>SignatureDoesNotMatch</Code></Error>"];
    const { pathname, searchParams } = new URL(request.url ?? "", "http://bucket");
    if (searchParams.has("list-type")) return [200, listing(searchParams)];
    const name = pathname.slice("/files/".length);
    if (request.method === "PUT") objects.set(name, { content: body, changed: new Date() });
    if (request.method === "DELETE") {
      objects.delete(name);
      return [204, ""];
    }
    const found = objects.get(name);
    return found === undefined
      ? [404, "<Error><Code>NoSuchKey</Code></Error>"]
      : [200, found.content];
  };
  const listing = (query: URLSearchParams): string => {
    const names = [...objects.keys()].filter((name) => name.startsWith(query.get("prefix") ?? ""));
    const from = Number(query.get("continuation-token") ?? 0);
    const page = names.slice(from, from + namesPerAnswer).map((name) => {
      const changed = objects.get(name)?.changed.toISOString() ?? "";
      return `<Contents><Key>${name}</Key><LastModified>${changed}</LastModified></Contents>`;
    });
    const next = from + namesPerAnswer;
    const more =
      next < names.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : "";
    return `<?xml version="1.0"?><ListBucketResult>${page.join("")}${more}</ListBucketResult>`;
  };
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => response.writeHead(status).end(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    /** Of a folder in it. */
    bucketUrl: `http://127.0.0.1:${port}/files/production`,
    objects,
    /** The next requests are answered as by a store that is overloaded. */
    failNext: (count: number) => {
      failures = count;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
