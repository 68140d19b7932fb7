import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { z } from "zod";

const Body = z.object({
  plaintext: z.string().optional(),
  ciphertext: z.string().optional(),
  associated_data: z.string().default(""),
  deletion_allowed: z.boolean().optional(),
});
type Body = z.infer<typeof Body>;
type Reply = { readonly status: number; readonly body?: object };
type Key = { readonly key: Buffer; readonly seconds: number; deletable: boolean };

/** A server with the replies that Vault documents for its transit engine, mounted at `transit`. */
export type TestVault = Awaited<ReturnType<typeof startVault>>;

export async function startVault(token: string) {
  const keys = new Map<string, Key>();
  let sealed = false;
  let seconds = 1_700_000_000;
  const answer = (request: IncomingMessage, body: Body): Reply => {
    if (request.headers["x-vault-token"] !== token) return refuse(403, "permission denied");
    if (sealed) return refuse(503, "Vault is sealed");
    const [, v1, mount, what = "", name = "", part] = (request.url ?? "").split("/");
    if (v1 !== "v1" || mount !== "transit") return refuse(404, "no handler for route");
    if (what === "keys?list=true") return list(keys);
    if (what === "encrypt") return encrypt(makeIfNew(keys, name, seconds), body);
    if (what === "decrypt") return decrypt(keys.get(name), body);
    if (part === "config") return configure(keys.get(name), name, body);
    if (request.method === "POST") {
      makeIfNew(keys, name, (seconds += 60));
      return { status: 204 };
    }
    return request.method === "DELETE" ? remove(keys, name) : describe(keys.get(name), name);
  };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const reply = answer(request, body);
      response.writeHead(reply.status, { "content-type": "application/json" });
      response.end(reply.body === undefined ? "" : JSON.stringify(reply.body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const { port }: Pick<AddressInfo, "port"> =
    typeof address === "object" && address !== null ? address : { port: 0 };
  return {
    url: new URL(`http://127.0.0.1:${port}/transit`),
    names: () => [...keys.keys()],
    seal: (is: boolean) => {
      sealed = is;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Body> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return Body.parse(text === "" ? {} : JSON.parse(text));
}

const refuse = (status: number, ...errors: string[]): Reply => ({ status, body: { errors } });

/** An encryption with the name of no key makes one, where the policy lets it. */
function makeIfNew(keys: Map<string, Key>, name: string, seconds: number): Key {
  const made = keys.get(name) ?? { key: randomBytes(32), seconds, deletable: false };
  keys.set(name, made);
  return made;
}

function list(keys: ReadonlyMap<string, Key>): Reply {
  if (keys.size === 0) return { status: 404, body: { errors: [] } };
  return { status: 200, body: { data: { keys: [...keys.keys()] } } };
}

function describe(key: Key | undefined, name: string): Reply {
  if (key === undefined) return { status: 404, body: { errors: [] } };
  const data = { name, type: "aes256-gcm96", keys: { "1": key.seconds }, exportable: false };
  return { status: 200, body: { data } };
}

function configure(key: Key | undefined, name: string, body: Body): Reply {
  if (key === undefined) return refuse(400, `no existing key named ${name} could be found`);
  key.deletable = body.deletion_allowed ?? key.deletable;
  return { status: 200, body: { data: { name, deletion_allowed: key.deletable } } };
}

function remove(keys: Map<string, Key>, name: string): Reply {
  const key = keys.get(name);
  const error = `error deleting policy ${name}`;
  if (key === undefined) return refuse(400, `${error}: could not delete key; not found`);
  if (!key.deletable) return refuse(400, `${error}: deletion is not allowed for this key`);
  keys.delete(name);
  return { status: 204 };
}

function encrypt({ key }: Key, body: Body): Reply {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(body.associated_data, "base64"));
  const text = Buffer.concat([cipher.update(body.plaintext ?? "", "base64"), cipher.final()]);
  const all = Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64");
  return { status: 200, body: { data: { ciphertext: `vault:v1:${all}`, key_version: 1 } } };
}

function decrypt(key: Key | undefined, body: Body): Reply {
  if (key === undefined) return refuse(400, "encryption key not found");
  const [, text = ""] = /^vault:v1:(.+)$/u.exec(body.ciphertext ?? "") ?? [];
  const all = Buffer.from(text, "base64");
  if (all.length < 28) return refuse(400, "invalid ciphertext: no prefix");
  const decipher = createDecipheriv("aes-256-gcm", key.key, all.subarray(0, 12));
  decipher.setAAD(Buffer.from(body.associated_data, "base64"));
  decipher.setAuthTag(all.subarray(-16));
  const plain = decipher.update(all.subarray(12, -16));
  try {
    decipher.final();
  } catch {
    return refuse(400, "cipher: message authentication failed");
  }
  return { status: 200, body: { data: { plaintext: plain.toString("base64") } } };
}
