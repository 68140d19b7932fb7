import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { ServiceDefinition } from "../service-definition.ts";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A definition of `fake-service.ts` under a name. */
export function fakeService(
  name: string,
  more: Partial<ServiceDefinition> & { behaviour?: Record<string, string> } = {},
): ServiceDefinition {
  const { behaviour = {}, ...definition } = more;
  return {
    name,
    main: here("fake-service.ts"),
    needs: [],
    routes: [],
    bodyBytesMax: 1000,
    environment: () => ({ FAKE_NAME: name, ...behaviour }),
    ...definition,
  };
}

/** Two services behind one origin, the first with a migration. */
export function twoServices(): ServiceDefinition[] {
  return [
    fakeService("first", {
      routes: ["/api/first"],
      migrate: here("fake-migration.ts"),
      migrationEnvironment: ({ dataDir }) => ({
        FAKE_MIGRATION_LOG: join(dataDir, "migrations.txt"),
      }),
    }),
    fakeService("second", { routes: ["/"] }),
  ];
}
