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
  user: z.string().optional(),
  tmpfs: z.array(z.string()).optional(),
  stop_grace_period: z.string().optional(),
  healthcheck: z
    .looseObject({ test: z.union([z.string(), z.array(z.string())]).optional() })
    .optional(),
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

type Variables = Readonly<Record<string, string>>;

/**
 * A text of the file with the variables of `.env` filled in, as Compose does.
 * @throws when one without a default is not set
 */
function filledIn(text: string, variables: Variables): string {
  return text
    .replaceAll(
      /\$\{(\w+)(?::([-?])([^}]*))?\}/gu,
      (_, name: string, kind?: string, other: string = "") => {
        const value = variables[name] ?? "";
        if (value !== "") return value;
        if (kind === "?") throw new Error(`${name} is not set: ${other}`);
        return other;
      },
    )
    .replaceAll("$$", "$");
}

/** What Compose makes of a service: how its container is run. */
export type ContainerRun = {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Directories that it may write to or read from, with the name of what is there. */
  readonly mounts: readonly { readonly path: string; readonly of: string }[];
  readonly isRoot: boolean;
  /** The path that its health check asks for. */
  readonly healthPath: string | undefined;
  readonly graceSeconds: number;
};

/**
 * How a container of the product is run.
 * @param variables of `.env`
 * @throws when there is none of this name, or a variable is missing
 */
export function containerRun(name: string, variables: Variables): ContainerRun {
  const { command = [], environment = {}, volumes = [], ...about } = service(name);
  const pairs = Object.entries(environment).flatMap(([key, value]): [string, string][] => {
    const set = value === null ? variables[key] : filledIn(value, variables);
    return set === undefined ? [] : [[key, set]];
  });
  const mounts = volumes.flatMap((volume) => {
    const [of = "", path = ""] = volume.split(":");
    return of.startsWith(".") ? [] : [{ path, of }];
  });
  const test = [about.healthcheck?.test ?? []].flat().join(" ");
  return {
    command: wordsOf(command).map((word) => filledIn(word, variables)),
    environment: Object.fromEntries(pairs),
    mounts: [
      ...mounts,
      ...(about.tmpfs ?? []).map((path) => ({ path, of: `tmpfs/${name}${path}` })),
    ],
    isRoot: about.user?.startsWith("0") === true,
    healthPath: /127\.0\.0\.1:\d+(\/\w+)/u.exec(test)?.[1],
    graceSeconds: Number.parseInt(about.stop_grace_period ?? "10", 10),
  };
}

/** The long-running containers of the product, in the order of the file; without the operator's. */
export const productContainers: readonly string[] = Object.keys(compose.services).filter(
  (name) =>
    service(name).image.startsWith("pro-talent/") && service(name).healthcheck !== undefined,
);

/** A command that is one text is divided as a shell would; ours have one quoted word at their end. */
function wordsOf(command: string | readonly string[]): readonly string[] {
  if (typeof command !== "string") return command;
  const [, words = command, , script] = /^(.*?) (["'])(.*)\2$/su.exec(command) ?? [];
  return [...words.split(" "), ...(script === undefined ? [] : [script])];
}
