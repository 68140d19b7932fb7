import { createHash } from "node:crypto";

import { AwsClient } from "aws4fetch";

import { type FileStore, Name, type StoredFile } from "./file-store.ts";

export type S3Settings = {
  /** Of the bucket, and a folder in it, as in `https://s3.eu-central-1.amazonaws.com/files/production`. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

const timeoutMs = 20_000;
const attempts = 3;

/**
 * A file store in a bucket of S3, or of a store with its protocol: path-style addresses, requests signed
 * with AWS Signature Version 4. An answered write is durable in every store of this kind.
 */
export function openS3Store(settings: S3Settings): FileStore {
  const { bucketUrl, ...credentials } = settings;
  const client = new AwsClient({ ...credentials, service: "s3", retries: attempts - 1 });
  const base = bucketUrl.replace(/\/+$/u, "");
  const send = async (method: string, url: string, content?: Uint8Array): Promise<Response> =>
    await client.fetch(url, {
      method,
      // Signed with its hash, so that the store refuses content that was changed on its way.
      headers: { "x-amz-content-sha256": sha256(content ?? new Uint8Array()) },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
      ...(content !== undefined && { body: new Uint8Array(content) }),
    });
  const urlOf = (name: string): string => `${base}/${Name.parse(name)}`;
  return {
    write: async (name, content) => {
      await accepted(await send("PUT", urlOf(name), content), "PUT");
    },
    read: async (name) => {
      const answer = await send("GET", urlOf(name));
      if (answer.status !== 404) {
        return Buffer.from(await (await accepted(answer, "GET")).arrayBuffer());
      }
      await answer.body?.cancel();
      return undefined;
    },
    remove: async (name) => {
      const answer = await send("DELETE", urlOf(name));
      if (answer.status === 404) await answer.body?.cancel();
      else await accepted(answer, "DELETE");
    },
    list: (folder) => listFolder((url) => send("GET", url), base, Name.parse(folder)),
  };
}

const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** @throws Error with the status alone: what a store writes about a refusal may hold names and keys */
async function accepted(answer: Response, method: string): Promise<Response> {
  if (answer.ok) return answer;
  await answer.body?.cancel();
  throw new Error(`The file store answers ${method} with ${answer.status}`);
}

/** ListObjectsV2: up to 1000 names in one answer, in XML whose values are names of ours, or times. */
async function* listFolder(
  get: (url: string) => Promise<Response>,
  base: string,
  folder: string,
): AsyncGenerator<StoredFile> {
  const { origin, pathname } = new URL(base);
  const [bucket = "", ...inner] = pathname.slice(1).split("/");
  const root = inner.map((part) => `${part}/`).join("");
  let token: string | undefined;
  do {
    const url = new URL(`${origin}/${bucket}`);
    url.searchParams.set("list-type", "2");
    url.searchParams.set("prefix", `${root}${folder}/`);
    if (token !== undefined) url.searchParams.set("continuation-token", token);
    const text = await (await accepted(await get(url.href), "GET")).text();
    for (const [, entry = ""] of text.matchAll(/<Contents>(.*?)<\/Contents>/gsu)) {
      const name = Name.safeParse(valueIn(entry, "Key")?.slice(root.length));
      const changedMs = Date.parse(valueIn(entry, "LastModified") ?? "");
      if (name.success && !Number.isNaN(changedMs)) yield { name: name.data, changedMs };
    }
    token = valueIn(text, "NextContinuationToken");
  } while (token !== undefined);
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
};

function valueIn(xml: string, element: string): string | undefined {
  const [, value] = new RegExp(`<${element}>([^<]*)</${element}>`, "u").exec(xml) ?? [];
  return value?.replaceAll(/&\w+;/gu, (entity) => entities[entity] ?? entity);
}
