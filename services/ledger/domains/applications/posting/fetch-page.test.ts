import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import { isPublicAddress, type OutsideOptions } from "@pro-talent/platform/http/outside-connection";
import { startReceiver } from "@pro-talent/platform/http/testing/start-receiver";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { fetchPage } from "./fetch-page.ts";
import { readPosting } from "./read-posting.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const page = "<title>Developer at Acme</title>";
const name = "jobs.example.com";
const html = { "content-type": "text/html; charset=utf-8" };
const asks: IncomingMessage[] = [];
let answer: Answer;
let outside: OutsideOptions & { readonly port: number };
const server = createServer((request, response) => {
  asks.push(request);
  answer(request, response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has this form of address
  const { port } = server.address() as AddressInfo;
  outside = { ...dns({}), port };
});
beforeEach(() => {
  asks.length = 0;
  answer = (_request, response) => response.writeHead(200, html).end(page);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A DNS by which every name leads to the server, and these lead elsewhere, one answer after the other. */
function dns(elsewhere: Readonly<Record<string, readonly string[][]>>) {
  const asked: string[] = [];
  const resolve: OutsideOptions["resolve"] = (host, _options, done) => {
    const answers = elsewhere[host] ?? [["127.0.0.1"]];
    const addresses = answers[asked.filter((one) => one === host).length] ?? answers.at(-1) ?? [];
    asked.push(host);
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  const isAllowed = (address: string): boolean =>
    address === "127.0.0.1" || isPublicAddress(address);
  return { asked, resolve, isAllowed };
}

const fetched = (url = `http://${name}/job`, options: OutsideOptions = {}) =>
  fetchPage(url, { ...outside, ...options });
const redirectTo =
  (location: string | undefined, status = 302): Answer =>
  ({ url }, response) =>
    url === "/job"
      ? response.writeHead(status, location === undefined ? {} : { location }).end()
      : response.writeHead(200, html).end(page);

/** Addresses that no page is fetched from. */
const refusedAddresses = [
  "http://127.0.0.1/",
  "http://[::1]/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0177.0.0.1/",
  "http://127.1/",
  "http://0/",
  "http://[::ffff:127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://10.0.0.1/",
  "http://93.184.215.14/",
  "http://169.254.169.254/latest/meta-data/",
  "http://①②⑦.⓪.⓪.①/",
  "http://localhost/",
  "http://jobs.localhost./",
  "http://router.local/",
  "http://metadata.google.internal/",
  "http://jobs/",
  "http://user:secret@jobs.example.com/",
  "http://jobs.example.com@127.0.0.1/",
  "http://jobs.example.com:8080/",
  "https://jobs.example.com:22/",
  "ftp://jobs.example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/html,<title>Developer</title>",
  "gopher://jobs.example.com/",
];

describe("a page elsewhere", () => {
  it("is fetched with a name of the product, and with nothing of the applicant", async () => {
    expect(await fetched(`http://${name}/job?id=7#apply`)).toBe(page);
    const [request] = asks;
    expect(request?.url).toBe("/job?id=7");
    expect(request?.headers).toEqual({
      accept: "text/html,application/xhtml+xml;q=0.9",
      "accept-encoding": "gzip, deflate, br",
      connection: "close",
      host: `${name}:${outside.port}`,
      "user-agent": "ProTalent-Postings/1",
    });
  });

  it("is fetched over TLS, with a certificate that is trusted; a bare name means that", async () => {
    const receiver = await startReceiver(name);
    receiver.answers((_request, response) => response.writeHead(200, html).end(page));
    expect(await fetchPage(`${name}/job`, receiver.outside)).toBe(page);
    const { ca: _ca, ...untrusted } = receiver.outside;
    expect(await fetchPage(`https://${name}/job`, untrusted)).toBeUndefined();
    await receiver.close();
  });

  it.each(["", " ", "http://", `http://${name}/${"a".repeat(3000)}`, ...refusedAddresses])(
    "is not fetched from %s",
    async (url) => {
      expect(await fetched(url)).toBeUndefined();
      expect(asks).toEqual([]);
    },
  );

  it.each(
    [
      "10.1.2.3",
      "100.64.0.1",
      "127.0.0.2",
      "169.254.169.254",
      "192.168.1.1",
      "224.0.0.1",
      "0.0.0.0",
      "fe80::1",
      "fd00::1",
      "::1",
      "::ffff:10.0.0.1",
      "64:ff9b::a00:1",
      "2002:a00:1::",
    ].map((address) => [address, [address]] as const),
  )("is not fetched from a name that leads to %s", async (_address, addresses) => {
    expect(await fetched(undefined, dns({ [name]: [[...addresses]] }))).toBeUndefined();
    const mixed = dns({ [name]: [["127.0.0.1", ...addresses]] });
    expect(await fetched(undefined, mixed)).toBeUndefined();
    expect(asks).toEqual([]);
  });

  it("is not fetched from an address of this machine, however its parts are written", async () => {
    const part = (value: number) =>
      fc.constantFrom(`${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`);
    const bytes = fc.tuple(fc.constantFrom(10, 127), fc.nat(255), fc.nat(255), fc.nat(255));
    const host = bytes.chain(([one, two, three, four]) =>
      fc.oneof(
        part(((one * 256 + two) * 256 + three) * 256 + four),
        fc.tuple(part(one), part((two * 256 + three) * 256 + four)),
        fc.tuple(part(one), part(two), part(three * 256 + four)),
        fc.tuple(part(one), part(two), part(three), part(four)),
      ),
    );
    await fc.assert(
      fc.asyncProperty(host, async (parts) => {
        expect(await fetched(`http://${[parts].flat().join(".")}/`)).toBeUndefined();
        expect(asks).toEqual([]);
      }),
    );
  });

  it("is fetched from the address that was checked, whatever the DNS answers next", async () => {
    const rebinding = dns({ [name]: [["127.0.0.1"], ["10.0.0.1"]] });
    expect(await fetched(undefined, rebinding)).toBe(page);
    expect(rebinding.asked).toEqual([name]);
    // A redirect is a connection of its own, which is checked again.
    answer = redirectTo("/again");
    expect(
      await fetched(undefined, dns({ [name]: [["127.0.0.1"], ["10.0.0.1"]] })),
    ).toBeUndefined();
    expect(asks.map(({ url }) => url)).toEqual(["/job", "/job"]);
  });
});

describe("a redirect", () => {
  it.each([
    [301, "/moved"],
    [302, `http://${name}/moved`],
    [303, "//www.example.com/moved"],
    [307, "moved?from=there"],
    [308, "http://example.com:80/moved"],
  ])("of status %i to %s is followed", async (status, location) => {
    answer = redirectTo(location, status);
    expect(await fetched()).toBe(page);
    expect(asks).toHaveLength(2);
  });

  it.each([
    ...refusedAddresses,
    "//127.0.0.1/",
    "http://private.example.com/",
    "https://user@example.com/",
    undefined,
  ])("to %s is not followed", async (location) => {
    // Header values are of Latin-1.
    answer = redirectTo(location && encodeURI(location));
    const private_ = dns({ "private.example.com": [["192.168.0.1"]] });
    expect(await fetched(undefined, private_)).toBeUndefined();
    expect(asks).toHaveLength(1);
  });

  it("is followed five times and no further, nor in a circle", async () => {
    const hops =
      (count: number): Answer =>
      ({ url = "" }, response) => {
        const hop = Number(url.slice(2));
        if (hop >= count) return response.writeHead(200, html).end(page);
        return response.writeHead(302, { location: `/h${hop + 1}` }).end();
      };
    answer = hops(5);
    expect(await fetched(`http://${name}/h0`)).toBe(page);
    answer = hops(6);
    expect(await fetched(`http://${name}/h0`)).toBeUndefined();
    asks.length = 0;
    answer = (_request, response) => response.writeHead(302, { location: "/job" }).end();
    expect(await fetched()).toBeUndefined();
    expect(asks).toHaveLength(6);
  });
});

/** Writes without end until the connection is closed. */
const endless =
  (chunk: Buffer): Answer =>
  (_request, response) => {
    response.writeHead(200, html);
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once("drain", write);
    };
    write();
  };

describe("an answer that is no page", () => {
  const raw =
    (text: string): Answer =>
    ({ socket }) =>
      socket.end(text);
  it.each<[string, Answer]>([
    ["has no type", (_request, response) => response.writeHead(200).end(page)],
    [
      "is JSON",
      (_request, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(page),
    ],
    [
      "is a PDF",
      (_request, response) =>
        response.writeHead(200, { "content-type": "application/pdf" }).end(page),
    ],
    [
      "has a type that begins like HTML",
      (_request, response) => response.writeHead(200, { "content-type": "text/htmlx" }).end(page),
    ],
    ["was not found", (_request, response) => response.writeHead(404, html).end(page)],
    ["is an error", (_request, response) => response.writeHead(500, html).end(page)],
    [
      "has a coding that was not asked for",
      (_request, response) =>
        response.writeHead(200, { ...html, "content-encoding": "zstd" }).end(page),
    ],
    [
      "has several codings",
      (_request, response) =>
        response
          .writeHead(200, { ...html, "content-encoding": "gzip, gzip" })
          .end(gzipSync(gzipSync(page))),
    ],
    [
      "has a broken coding",
      (_request, response) =>
        response.writeHead(200, { ...html, "content-encoding": "gzip" }).end(page),
    ],
    [
      "has a coding that is cut off",
      (_request, response) =>
        response
          .writeHead(200, { ...html, "content-encoding": "gzip" })
          .end(gzipSync(page).subarray(0, 20)),
    ],
    [
      "has a header of 100 kB",
      raw(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx: ${"a".repeat(100_000)}\r\n\r\n${page}`),
    ],
    [
      "has a thousand headers",
      raw(`HTTP/1.1 200 OK\r\n${"x-a: aaaaaaaaaaaaaaaa\r\n".repeat(1000)}\r\n${page}`),
    ],
    ["has another protocol", raw("220 mail.example.com ESMTP\r\n")],
    ["is empty", raw("")],
    [
      "is shorter than it states",
      raw(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5000\r\n\r\n${page}`),
    ],
    [
      "states two lengths",
      raw(
        `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\ncontent-length: 32\r\n\r\n${page}`,
      ),
    ],
  ])("because it %s is left", async (_what, given) => {
    answer = given;
    expect(await fetched()).toBeUndefined();
  });

  it.each<[string, Answer]>([
    ["does not begin", () => undefined],
    [
      "has headers and no body",
      (_request, response) => void response.writeHead(200, html).write(page),
    ],
    [
      "arrives a byte at a time",
      (_request, response) => {
        response.writeHead(200, html);
        const timer = setInterval(() => response.write("a"), 20);
        response.on("close", () => clearInterval(timer));
      },
    ],
    [
      "redirects slowly",
      (_request, response) =>
        void setTimeout(() => response.writeHead(302, { location: "/job" }).end(), 80),
    ],
  ])("in time, as one that %s, is left", async (_what, given) => {
    answer = given;
    expect(await fetched(undefined, { timeoutMs: 250 })).toBeUndefined();
  });
});

describe("the size of a page", () => {
  const mebibyte = 1024 * 1024;
  it.each<[string, Answer]>([
    ["without end", endless(Buffer.alloc(64 * 1024, "a"))],
    [
      "of 32 MiB in 32 kB",
      (_request, response) =>
        response
          .writeHead(200, { ...html, "content-encoding": "gzip" })
          .end(gzipSync(Buffer.alloc(32 * mebibyte, "a"))),
    ],
    [
      "of 32 MiB in less than 100 bytes",
      (_request, response) =>
        response
          .writeHead(200, { ...html, "content-encoding": "br" })
          .end(brotliCompressSync(Buffer.alloc(32 * mebibyte, "a"))),
    ],
  ])("%s is cut at 1 MiB", async (_what, given) => {
    answer = given;
    expect((await fetched())?.length).toBe(mebibyte);
  });

  it.each([
    ["gzip", gzipSync(page)],
    ["GZIP", gzipSync(page)],
    ["deflate", deflateSync(page)],
    ["br", brotliCompressSync(page)],
    ["identity", Buffer.from(page)],
  ])("is of the text, when it is coded by %s", async (coding, body) => {
    answer = (_request, response) =>
      response.writeHead(200, { ...html, "content-encoding": coding }).end(body);
    expect(await fetched()).toBe(page);
  });
});

/** Hebrew in the encodings of one byte for a character. */
const inOneByte = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (sign) => {
      const code = sign.charCodeAt(0);
      return code >= 0x5d0 ? code - 0x5d0 + 0xe0 : code;
    }),
  );

describe("the encoding of a page", () => {
  const hebrew = "<title>מפתחת בחברת אקמי</title>";
  const meta = (attributes: string) => `<html><head><meta ${attributes}>${hebrew}`;
  it.each([
    ["UTF-8 by its header", "text/html; charset=UTF-8", Buffer.from(hebrew)],
    [
      "UTF-8 by its mark, against its header",
      "text/html; charset=windows-1255",
      Buffer.from(`\uFEFF${hebrew}`),
    ],
    ["UTF-8 that is not stated", "text/html", Buffer.from(hebrew)],
    [
      "UTF-8 with an encoding that does not exist",
      "text/html; charset=klingon",
      Buffer.from(hebrew),
    ],
    ["UTF-16 by its mark", "text/html", Buffer.from(`\uFEFF${hebrew}`, "utf16le")],
    ["windows-1255 by its header", 'text/html;charset="windows-1255"', inOneByte(hebrew)],
    ["windows-1255 by the page", "text/html", inOneByte(meta('charset="windows-1255"'))],
    [
      "windows-1255 by the older form",
      "text/html",
      inOneByte(meta('http-equiv="Content-Type" content="text/html; charset=windows-1255"')),
    ],
    ["windows-1255 that is not stated", "text/html", inOneByte(hebrew)],
    ["ISO-8859-8", "text/html; charset=iso-8859-8", inOneByte(hebrew)],
    ["ISO-8859-8-I", "text/html; charset=iso-8859-8-i", inOneByte(hebrew)],
  ])("may be %s", async (_what, type, body) => {
    answer = (_request, response) => response.writeHead(200, { "content-type": type }).end(body);
    const text = (await fetched()) ?? "";
    expect(readPosting(text)).toMatchObject({ role: "מפתחת", company: "אקמי" });
  });

  it("leaves bytes that are no characters as U+FFFD", async () => {
    answer = (_request, response) =>
      response
        .writeHead(200, html)
        .end(Buffer.concat([Buffer.from(page), Buffer.from([0xff, 0xc0])]));
    expect(await fetched()).toBe(`${page}\uFFFD\uFFFD`);
  });
});
