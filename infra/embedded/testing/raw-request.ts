import { type IncomingHttpHeaders, request } from "node:http";

export type RawAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
};

/** An HTTP request sent exactly as given: the path is not normalised, no header is added. */
export function rawRequest(options: {
  port: number;
  path: string;
  method?: string;
  headers?: string[];
  body?: string;
}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: "127.0.0.1",
      port: options.port,
      path: options.path,
      method: options.method ?? "GET",
      headers: ["Host", "localhost", ...(options.headers ?? []), "Connection", "close"],
      agent: false,
    });
    outgoing.once("error", reject);
    outgoing.once("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.once("error", reject);
      answer.once("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          rawHeaders: answer.rawHeaders,
          body: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    outgoing.end(options.body);
  });
}
