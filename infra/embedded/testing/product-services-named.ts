import { productServices } from "../services/product-services.ts";
import type { ServiceDefinition } from "../services/service-definition.ts";

/**
 * The services of these names, without the others: where one of them has the address of another that does
 * not run, no one answers.
 */
export function productServicesNamed(names: readonly string[]): ServiceDefinition[] {
  const absent = new Set(
    productServices.map(({ name }) => name).filter((name) => !names.includes(name)),
  );
  return productServices
    .filter(({ name }) => !absent.has(name))
    .map((service) => ({
      ...service,
      environment: (context, ...others) => {
        const port = (name: string): number => (absent.has(name) ? 1 : context.port(name));
        return service.environment({ ...context, port }, ...others);
      },
    }));
}
