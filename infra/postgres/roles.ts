export const DATABASE = "pro_talent";
export const OWNER_ROLE = "pro_talent_owner";
export const OWNER_CONNECTIONS = 20;

/** Roles of the services and how many connections each may hold, all its instances together. */
export const SERVICE_ROLES = { ledger_app: 60, collector_app: 60 } as const;
export type ServiceRole = keyof typeof SERVICE_ROLES;

export type ProvisionOptions = {
  /** A superuser, on any database of the server. */
  adminUrl: string;
  ownerPassword: string;
  servicePasswords: Readonly<Record<ServiceRole, string>>;
  /** Another name than `pro_talent`, for tests. */
  database?: string;
};
