import type { Secrets } from "./secrets.ts";

/** What a service may need to know about the instance that it runs in. */
export type Surroundings = {
  dataDir: string;
  secrets: Secrets;
  /** Address of the database `pro_talent` for a role with its password. */
  databaseUrl: (role: string, password: string) => string;
  /** For services that need the engine; an error for others. */
  clickhouseUrl: () => string;
  clickhouseDatabase: string;
  smtpUrl: string;
  /** Scheme, host and port of the gateway, as a browser on this machine calls it. */
  publicOrigin: string;
  /** Base address of another service. */
  serviceUrl: (name: string) => string;
};

export type Engine = "postgres" | "clickhouse" | "mail";

/** A service of the platform: where its programs are and what surrounds it. */
export type ServiceDefinition = {
  name: string;
  /** Runs the service until SIGTERM; answers `GET /readyz` with 200 once it can work. */
  main: string;
  /** Brings its stores to the current form and ends. Runs before every start. */
  migrate?: string;
  /** Engines that must run before it is migrated and started. */
  needs: readonly Engine[];
  /** Paths of the public origin that it answers; `/` takes what no other service does. */
  routes: readonly string[];
  /** The largest body that it takes. */
  bodyBytesMax: number;
  /** How long it may take to obey SIGTERM. */
  stopWithinMs?: number;
  /** Beside `HOST`, `PORT` and `LOG_LEVEL`, which every service gets. */
  environment: (around: Surroundings) => Record<string, string>;
  migrationEnvironment?: (around: Surroundings) => Record<string, string>;
};
