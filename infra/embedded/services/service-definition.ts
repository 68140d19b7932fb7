import type { OpenService } from "@pro-talent/platform/runtime/run-service";

import type { Secrets } from "../secrets.ts";

/** What a service may need to know about the instance that it is part of. */
export type Surroundings = {
  dataDir: string;
  secrets: Secrets;
  /** Address of the database `pro_talent` for a role with its password. */
  databaseUrl: (role: string, password: string) => string;
  /** With user and password. */
  clickhouseUrl: string;
  clickhouseDatabase: string;
  smtpPort: number;
  /** Scheme, host and port of the gateway, as a browser on this machine calls it. */
  publicOrigin: string;
  /** Base address of another service. */
  serviceUrl: (name: string) => string;
};

export type Engine = "postgres" | "clickhouse";

/** Variables by their names, as a process gets them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A service of the product, as one process hosts it beside the others. */
export type ServiceDefinition = {
  name: string;
  /** Loads the code that opens it. Only the process that hosts it calls this. */
  load: () => Promise<OpenService>;
  /** Brings its stores to the current form, with the same environment, before any service is opened. */
  migrate?: (environment: Environment) => Promise<unknown>;
  /** Engines that must run before it is migrated and opened. */
  needs: readonly Engine[];
  /** Paths of the public origin that it answers; `/` takes what no other service does. */
  routes: readonly string[];
  /** What it reads; variables of the caller's environment with other names stay visible to it. */
  environment: (around: Surroundings) => Record<string, string>;
};
