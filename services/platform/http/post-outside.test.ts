import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { isPublicAddress, type OutsideOptions } from "./outside-connection.ts";
import { postOutside } from "./post-outside.ts";
import { type Receiver, startReceiver } from "./testing/start-receiver.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answers(204);
});
afterAll(() => receiver.close());

const message = { headers: { "x-test": "yes" }, body: '{"text":"שלום"}' };
const post = (options: OutsideOptions = {}, url = `https://${receiver.name}/hook?of=me`) =>
  postOutside(url, message, { ...receiver.outside, ...options });

/** A DNS that answers these addresses, one list after the other. */
function dns(...answers: string[][]) {
  const asked: string[] = [];
  const resolve: OutsideOptions["resolve"] = (name, _options, done) => {
    asked.push(name);
    const addresses = answers[asked.length - 1] ?? answers.at(-1) ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return { asked, resolve, isAllowed: isPublicAddress };
}

describe("a message to an external server", () => {
  it("arrives as it is, and the status of the answer is known", async () => {
    receiver.answers(202);
    expect(await post()).toEqual({ status: 202 });
    expect(receiver.received).toHaveLength(1);
    const [request] = receiver.received;
    expect(request?.body).toBe(message.body);
    expect(request?.headers).toMatchObject({
      host: `${receiver.name}:${receiver.port}`,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(message.body)),
      "x-test": "yes",
    });
  });

  it("follows no redirect", async () => {
    receiver.answers((_request, response) =>
      response.writeHead(307, { location: `https://${receiver.name}/elsewhere` }).end(),
    );
    expect(await post()).toEqual({ status: 307 });
    expect(receiver.received).toHaveLength(1);
  });

  it("reads no more than the beginning of an answer without end", async () => {
    let written = 0;
    receiver.answers((_request, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1024))) written += 1024;
        if (!response.destroyed) response.once("drain", write);
      };
      write();
    });
    expect(await post()).toEqual({ status: 200 });
    // What the sockets hold, and no more.
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  it("does not wait for a receiver that answers late, or never ends its answer", async () => {
    receiver.answers(() => undefined);
    expect(await post({ timeoutMs: 100 })).toEqual({ fault: "timeout" });
    receiver.answers((_request, response) => {
      response.writeHead(200);
      response.write("a");
    });
    expect(await post({ timeoutMs: 300 })).toEqual({ status: 200 });
  });

  it("does not leave while its certificate is another one's, or not trusted", async () => {
    const { ca: _ca, ...untrusted } = receiver.outside;
    const url = `https://${receiver.name}/`;
    expect(await postOutside(url, message, untrusted)).toEqual({ fault: "certificate" });
    expect(await post({}, "https://other.example.com/")).toEqual({ fault: "certificate" });
    expect(receiver.received).toEqual([]);
  });

  it("is not sent where nothing listens, or a name leads nowhere", async () => {
    expect(await post({ port: 1 })).toEqual({ fault: "connection" });
    expect(await post(dns([]))).toEqual({ fault: "address" });
  });
});

describe("a name that leads into our network", () => {
  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback of IPv6", ["::1"]],
    ["IPv4 written as IPv6", ["::ffff:127.0.0.1"]],
    ["a private network", ["10.0.0.7"]],
    ["the address of cloud metadata", ["169.254.169.254"]],
    ["a public and a private address", ["93.184.215.14", "127.0.0.1"]],
  ])("%s is refused", async (_what, addresses) => {
    expect(await post(dns(addresses))).toEqual({ fault: "address" });
    expect(receiver.received).toEqual([]);
  });

  it("after it was checked is not asked again: the connection is to the checked address", async () => {
    const rebinding = dns(["127.0.0.1"], ["10.0.0.1"]);
    expect(await post({ ...rebinding, isAllowed: (address) => address === "127.0.0.1" })).toEqual({
      status: 204,
    });
    expect(rebinding.asked).toEqual([receiver.name]);
    // In the reverse order nothing is sent, whatever a second answer would be.
    const turned = dns(["127.0.0.1"], ["93.184.215.14"]);
    expect(await post(turned)).toEqual({ fault: "address" });
    expect(turned.asked).toHaveLength(1);
  });

  it.each(["https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://0x7f.1/"])(
    "is refused when it is no name: %s",
    async (url) => {
      expect(await post({}, url)).toEqual({ fault: "address" });
      expect(receiver.received).toEqual([]);
    },
  );
});
