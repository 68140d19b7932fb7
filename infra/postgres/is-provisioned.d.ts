import { type ProvisionOptions } from "./roles.ts";
/**
 * Whether everything already is as provisioning would leave it: one connection and two reads, so
 * that an ordinary start writes nothing.
 */
export declare function isProvisioned(options: ProvisionOptions): Promise<boolean>;
