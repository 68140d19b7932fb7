import type { ServiceDefinition } from "./service-definition.ts";
/** The services of the product, in the order in which they depend on each other. */
export declare const productServices: readonly ServiceDefinition[];
