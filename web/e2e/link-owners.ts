import { z } from "zod";

import type { OperatedStack } from "./products.ts";

const SignedIn = z.object({ token: z.string() });
const Created = z.object({ link: z.object({ linkId: z.string(), code: z.string() }) });

/** Which of the demo's accounts, by its plan. */
type Owner = "premium" | "free";

export type LinkOwners = {
  /** Of every account of the demo. */
  readonly password: string;
  /** @throws when it is refused */
  readonly call: (owner: Owner, method: string, path: string, body?: object) => Promise<unknown>;
  readonly createLink: (
    target: object,
    more?: object,
    owner?: Owner,
  ) => Promise<z.output<typeof Created>["link"]>;
};

/** Makes the demo and signs its owners of links in. */
export async function signInOwners(stack: OperatedStack): Promise<LinkOwners> {
  const { password } = await stack.makeDemo();
  const tokenOf = async (owner: Owner): Promise<string> => {
    const body = { email: `${owner}@demo.example`, password };
    const path = "/api/account/sign-in";
    return SignedIn.parse(await send(stack, { method: "POST", path, body })).token;
  };
  const tokens = { premium: await tokenOf("premium"), free: await tokenOf("free") };
  const call: LinkOwners["call"] = (owner, method, path, body) =>
    send(stack, {
      method,
      path,
      ...(body && { body }),
      headers: { authorization: `Bearer ${tokens[owner]}` },
    });
  return {
    password,
    call,
    createLink: async (target, more = {}, owner = "premium") => {
      const body = { label: "Acme", target, ...more };
      return Created.parse(await call(owner, "POST", "/api/links", body)).link;
    },
  };
}

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

async function send(
  { origin }: OperatedStack,
  { method, path, body, headers }: Sent,
): Promise<unknown> {
  const answer = await fetch(new URL(path, origin), {
    method,
    headers: { "content-type": "application/json", origin, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}

/** The target of a link to a file. */
export const fileTarget = (content: Buffer, name = "Noa Levi CV.pdf") => ({
  kind: "file",
  name,
  content: content.toString("base64"),
});

/** A ZIP with two stored files: as little of a DOCX as is accepted. */
export function docxFile(): Buffer {
  const names = ["[Content_Types].xml", "word/document.xml"];
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  for (const name of names) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(Buffer.concat(locals).length, 42);
    locals.push(Buffer.concat([local, Buffer.from(name)]));
    entries.push(Buffer.concat([entry, Buffer.from(name)]));
  }
  const [files, directory] = [Buffer.concat(locals), Buffer.concat(entries)];
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(files.length, 16);
  return Buffer.concat([files, directory, end]);
}
