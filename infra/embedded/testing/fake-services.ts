import { appendFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import Fastify from "fastify";

import type { Hostable } from "../services/host-services.ts";
import type { ServiceDefinition } from "../services/service-definition.ts";

/** The script that hosts fake services under any names. */
export const fakeProgram = fileURLToPath(new URL("fake-process.ts", import.meta.url));

/**
 * A real service of a few lines, for tests of what runs services. Its environment decides how it
 * behaves: `FAKE_START=fail` does not open, `crash` neither and quotes data, `never-ready` never answers `/readyz` with 200;
 * `FAKE_STOP=ignore` never closes; `FAKE_MIGRATION` is a file that a migration appends to, or `fail`.
 * `/die` ends the process, `/env/<name>` answers with a variable.
 */
export function fakeHostable(name: string): Hostable {
  return {
    name,
    load: async () => openFake(name),
    migrate: async ({ FAKE_MIGRATION: migration }) => {
      if (migration === "fail") throw new OperatorError("a role is missing");
      if (migration !== undefined) await appendFile(migration, "migrated\n");
    },
  };
}

function openFake(name: string): OpenService {
  return async (source, log) => {
    log.info(`${name} begins`);
    if (source["FAKE_START"] === "fail") throw new OperatorError("the reason of the failure");
    if (source["FAKE_START"] === "crash") throw new Error("insert into t values ('a secret')");
    const app = Fastify();
    app.addHook("onRequest", async (_request, reply) => void reply.header("x-pid", process.pid));
    app.get("/readyz", (_request, reply) =>
      reply.code(source["FAKE_START"] === "never-ready" ? 503 : 200).send(),
    );
    app.get("/die", () => {
      console.error("dying as asked");
      process.exit(7);
    });
    app.get("/warn", async () => {
      log.warn("something is odd");
      return "warned";
    });
    app.get<{ Params: { name: string } }>(
      "/env/:name",
      async ({ params }) => source[params.name] ?? "",
    );
    app.all("*", async ({ url }) => `${name} ${url}`);
    const close = async (): Promise<void> => {
      if (source["FAKE_STOP"] === "ignore") await new Promise<void>(() => undefined);
      await app.close();
      log.info(`${name} is closed`);
    };
    return { app, close };
  };
}

/** A definition of a fake service. */
export function fakeService(
  name: string,
  more: Partial<ServiceDefinition> & { behaviour?: Record<string, string> } = {},
): ServiceDefinition {
  const { behaviour = {}, ...definition } = more;
  return {
    ...fakeHostable(name),
    needs: [],
    routes: [],
    environment: () => behaviour,
    ...definition,
  };
}

/** Two services behind one origin, the first with a migration. */
export function twoServices(): ServiceDefinition[] {
  return [
    fakeService("first", {
      routes: ["/api/first"],
      environment: ({ dataDir }) => ({ FAKE_MIGRATION: `${dataDir}/migrations.txt` }),
    }),
    fakeService("second", { routes: ["/"] }),
  ];
}
