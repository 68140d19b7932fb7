import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { parse } from "yaml";
import { z } from "zod";

/** The parts of docker-compose.yml that the tests look at. */
const Service = z.looseObject({
  image: z.string(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  /** Null passes the variable of the shell or .env on, if it is set there. */
  environment: z.record(z.string(), z.string().nullable()).optional(),
  volumes: z.array(z.string()).optional(),
  build: z.looseObject({ dockerfile: z.string() }).optional(),
  read_only: z.boolean().optional(),
  mem_limit: z.string().optional(),
  cpus: z.number().optional(),
  pids_limit: z.number().optional(),
  cap_drop: z.array(z.string()).optional(),
  healthcheck: z.looseObject({}).optional(),
  logging: z.object({ options: z.record(z.string(), z.string()) }).optional(),
  ports: z.array(z.string()).optional(),
  profiles: z.array(z.string()).optional(),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
});
const Network = z.looseObject({ internal: z.boolean().optional() }).nullable();
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), Network),
});

type ComposeService = z.infer<typeof Service>;
export type Compose = z.infer<typeof Compose>;

export const composeText = readFileSync(
  fileURLToPath(new URL("../../docker-compose.yml", import.meta.url)),
  "utf8",
);

/** The file as Compose reads it, with its anchors merged. */
export const composeTree: unknown = parse(composeText, { merge: true, maxAliasCount: 300 });
export const compose: Compose = Compose.parse(composeTree);

/** @throws when there is none of this name */
export function service(name: string): ComposeService {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
}
