export const DATABASE = "pro_talent";
export const OWNER_ROLE = "pro_talent_owner";
export const OWNER_CONNECTIONS = 20;

/** Roles of the services and how many connections each may hold, all its instances together. */
export const SERVICE_ROLES = {
  ledger_app: 60,
  /** The worker's role for keys: it re-wraps keys of data subjects, ends epochs and vacuums. */
  ledger_keeper: 10,
  collector_app: 60,
  jobs_app: 30,
} as const;
export type ServiceRole = keyof typeof SERVICE_ROLES;
export const serviceRoles: readonly ServiceRole[] = [
  "ledger_app",
  "ledger_keeper",
  "collector_app",
  "jobs_app",
];

/**
 * Owns the ledger's function that destroys personal data, and may do nothing else. It has no login;
 * the owner's migrations hand the function over to it.
 */
export const SHREDDER_ROLE = "ledger_shredder";

export type ProvisionOptions = {
  /** A superuser, on any database of the server. */
  adminUrl: string;
  ownerPassword: string;
  servicePasswords: Readonly<Record<ServiceRole, string>>;
  /** Another name than `pro_talent`, for tests. */
  database?: string;
};
