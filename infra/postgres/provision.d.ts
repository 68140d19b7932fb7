import { type ProvisionOptions } from "./roles.ts";
/**
 * Creates what the migrations need, or repairs it: the database, its owner, and one role for each
 * service that can connect and nothing else. What a service role may do with tables is granted by
 * the migrations. Running it again, or twice at once, changes nothing but the passwords, which
 * become the given ones.
 * @throws {postgres.PostgresError} when the administrator may not do this
 */
export declare function provisionPostgres(options: ProvisionOptions): Promise<void>;
