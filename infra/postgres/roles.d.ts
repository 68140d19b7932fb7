export declare const DATABASE = "pro_talent";
export declare const OWNER_ROLE = "pro_talent_owner";
export declare const OWNER_CONNECTIONS = 20;
/** Roles of the services and how many connections each may hold, all its instances together. */
export declare const SERVICE_ROLES: {
    readonly ledger_app: 60;
    readonly collector_app: 60;
};
export type ServiceRole = keyof typeof SERVICE_ROLES;
export type ProvisionOptions = {
    /** A superuser, on any database of the server. */
    adminUrl: string;
    ownerPassword: string;
    servicePasswords: Readonly<Record<ServiceRole, string>>;
    /** Another name than `pro_talent`, for tests. */
    database?: string;
};
