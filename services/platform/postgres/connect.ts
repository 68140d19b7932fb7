import postgres from "postgres";

export type Sql = postgres.Sql<{ bigint: number }>;

/**
 * A pool of Postgres connections. `bigint` arrives as a number: ledger positions stay far below
 * 2^53. Notices are dropped: they may quote row values.
 */
export function connectPostgres(
  url: string,
  options: {
    max?: number;
    applicationName: string;
    idleTimeoutSeconds?: number;
    /** Called whenever a connection has ended, for whatever reason. */
    onClose?: () => void;
  },
): Sql {
  return postgres(url, {
    max: options.max ?? 8,
    idle_timeout: options.idleTimeoutSeconds ?? 60,
    connect_timeout: 5,
    onnotice: () => undefined,
    ...(options.onClose && { onclose: options.onClose }),
    connection: { application_name: options.applicationName },
    types: {
      bigint: {
        to: 20,
        from: [20],
        parse: (text: string) => Number(text),
        serialize: (value: number) => String(value),
      },
    },
  });
}
