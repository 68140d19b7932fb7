import type { DemoPart } from "@pro-talent/platform/runtime/demo";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";

import type { InstanceSettings } from "../instance-context.ts";

export type Engine = "postgres" | "clickhouse";

/** Variables by their names, as a process gets them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A service of the product, as a process hosts it beside others. */
export type ServiceDefinition = {
  name: string;
  /** Loads the code that opens it. Only the process that hosts it calls this. */
  load: () => Promise<OpenService>;
  /** Brings its stores to the current form, with the same environment, before any service is opened. */
  migrate?: (environment: Environment) => Promise<unknown>;
  /** Loads its part of the demo; of several, each finds what those before it made. */
  demo?: () => Promise<DemoPart>;
  /** Hosted apart from those whose answers a visitor waits for, at a lower priority. */
  background?: boolean;
  /** Engines that must run before it is migrated and opened. */
  needs: readonly Engine[];
  /** Paths of the public origin that it answers; `/` takes what no other service does. */
  routes: readonly string[];
  /**
   * What it reads, beside the caller's environment, which stays visible to it.
   * @param origin scheme, host and port of the gateway, as a browser on this machine calls it
   */
  environment: (context: InstanceSettings, origin: string) => Record<string, string>;
};
