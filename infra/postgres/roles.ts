export const DATABASE = "pro_talent";
export const OWNER_ROLE = "pro_talent_owner";
export const OWNER_CONNECTIONS = 20;

/** Roles of the services and how many connections each may hold, all its instances together. */
export const SERVICE_ROLES = {
  ledger_app: 60,
  /** The worker's role for keys: it re-wraps keys of data subjects, ends epochs and vacuums. */
  ledger_keeper: 10,
  collector_app: 60,
  accounts_app: 60,
  /** Reads sign-in sessions, nothing else. */
  insights_app: 20,
  studio_app: 60,
  /** Two of each worker, with the queue in Postgres: up to seven connections each. */
  jobs_app: 80,
} as const;
export type ServiceRole = keyof typeof SERVICE_ROLES;
export const serviceRoles: readonly ServiceRole[] = [
  "ledger_app",
  "ledger_keeper",
  "collector_app",
  "accounts_app",
  "insights_app",
  "studio_app",
  "jobs_app",
];

/**
 * Roles of the people who operate the ledger, and their connections. Each may do what its commands need;
 * the owner's role is for migrations alone.
 */
export const OPERATOR_ROLES = { ledger_operator: 5, ledger_verifier: 5, ledger_inbox: 5 } as const;
export type OperatorRole = keyof typeof OPERATOR_ROLES;
export const operatorRoles: readonly OperatorRole[] = [
  "ledger_operator",
  "ledger_verifier",
  "ledger_inbox",
];

/** What operators change is changed by the service's own functions, with its rights. */
export const OPERATED_ROLE: ServiceRole = "ledger_app";
export const OPERATING_ROLE: OperatorRole = "ledger_operator";

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
  /** A role without a password exists and cannot sign in. */
  operatorPasswords?: Readonly<Partial<Record<OperatorRole, string | undefined>>>;
  /** Another name than `pro_talent`, for tests. */
  database?: string;
};
