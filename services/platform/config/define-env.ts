import { z } from "zod";

import { namesAddresses } from "../http/client-address.ts";
import { OperatorError } from "../runtime/operator-error.ts";

/**
 * Parses the process environment once at start. Every wrong or missing variable is named in one
 * error (names and reasons only, never values: they may be secrets).
 * @throws OperatorError
 */
export function parseEnv<Shape extends z.ZodRawShape>(
  shape: Shape,
  source: Readonly<Record<string, string | undefined>>,
): z.infer<z.ZodObject<Shape>> {
  const result = z.object(shape).safeParse(source);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new OperatorError(`The environment is not complete:\n${lines.join("\n")}`);
}

const port = z.coerce.number().int().min(0).max(65_535);

/** Where spans are sent (OTLP over HTTP), and the share of traces that is kept; without an address none are. */
export const tracingEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};

/** Variables that every HTTP service understands. */
export const httpServiceEnv = {
  ...tracingEnv,
  /** Address to listen on; loopback unless a container network needs more. */
  HOST: z.string().min(1).default("127.0.0.1"),
  /** Port to listen on; 0 takes a free one. */
  PORT: port.default(0),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  /**
   * How long a service that is to stop goes on answering, so that the gateway before it learns from
   * `/healthz` to send nothing more: longer than the gateway's interval and timeout together.
   */
  DRAIN_MS: z.coerce.number().int().min(0).max(10_000).default(0),
};

/** A shared secret between services; long enough not to be guessed. */
export const internalToken = z.string().min(32);

/** A key of 256 bits, as 64 hexadecimal digits. */
export const key256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits")
  .transform((text) => Buffer.from(text, "hex"));

/** The site's public address, as in `https://example.com`. */
export const publicOrigin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);

/** Sender of mail: `Name <address>`. */
export const mailSender = z
  .string()
  .regex(/^[^<>]+ <[^<>\s]+>$/, "must be Name <address>")
  .transform((text) => {
    const [name = "", address = ""] = text.slice(0, -1).split(" <");
    return { name, address };
  });

/** A comma-separated list; empty means none. */
export const commaList = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((part) => (part.trim() ? [part.trim()] : [])));

/** Proxies whose `X-Forwarded-For` is believed: addresses, networks (CIDR) and `private`; none by default. */
export const trustedProxies = commaList.pipe(
  z.array(
    z.string().refine(namesAddresses, {
      error: ({ input }) => `${String(input)} is neither an address, nor a network, nor "private"`,
    }),
  ),
);

export const postgresUrl = z
  .string()
  .regex(/^postgres(?:ql)?:\/\//, "must be a postgres:// address");

/** Host and port of a replica of the database, for calls that may lag; without one all is read from the primary. */
export const databaseReplica = z
  .string()
  .regex(/^(?:[^@/\s]+:\d+)?$/, "must be a host and a port, as in postgres-2:5432")
  .default("");

/** The same database on its replica, with the same role and settings. */
export function replicaUrlOf(env: {
  readonly DATABASE_URL: string;
  readonly DATABASE_REPLICA: string;
}): string | undefined {
  if (env.DATABASE_REPLICA === "") return undefined;
  return Object.assign(new URL(env.DATABASE_URL), { host: env.DATABASE_REPLICA }).href;
}

/** Where jobs wait. */
export const queueUrl = z
  .string()
  .regex(
    /^(?:postgres(?:ql)?|rediss?|redis\+sentinel):\/\//,
    "must be a postgres://, redis:// or redis+sentinel:// address",
  );

/** Where mail is handed in, with user and password if need be. */
export const smtpUrl = z.string().regex(/^smtps?:\/\//, "must be a smtp:// or smtps:// address");
