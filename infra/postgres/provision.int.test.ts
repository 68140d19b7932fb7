import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type RunningPostgres, startPostgres } from "../embedded/postgres/start-postgres.ts";
import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { provisionPostgres } from "./provision.ts";
import {
  OPERATOR_ROLES,
  operatorRoles,
  OWNER_ROLE,
  SERVICE_ROLES,
  type ServiceRole,
  serviceRoles,
  SHREDDER_ROLE,
} from "./roles.ts";
import { askAs, type Login } from "./testing/ask-as.ts";

const servicePasswords = {
  ledger_app: "ledger-password-'$1'",
  ledger_keeper: "keeper-password-at-least-16",
  collector_app: "collector-password-16",
  accounts_app: "accounts-password-16+",
  insights_app: "insights-password-16+",
  studio_app: "studio-password-16+",
  jobs_app: "jobs-password-at-least-16",
};
const ownerPassword = "owner-password-at-least-16";

// A server of its own: roles belong to the whole server, and other tests may make the same ones.
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: RunningPostgres;

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startPostgres({ dataDir: join(directory.path, "postgres") });
  await provision();
});

afterAll(async () => {
  await server.stop();
  await directory.remove();
});

const provision = (passwords = servicePasswords) =>
  provisionPostgres({ adminUrl: server.url, ownerPassword, servicePasswords: passwords });

const ask = (login: Login | "admin", text: string) => askAs(server.url, login, text);

const owner: Login = { role: OWNER_ROLE, password: ownerPassword };
const service = (role: ServiceRole): Login => ({ role, password: servicePasswords[role] });
const denied = { code: "42501" };

test("the database belongs to its owner, who can create what the migrations need", async () => {
  const [database] = await ask(
    "admin",
    `select pg_get_userbyid(datdba) as owner, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = 'pro_talent'`,
  );
  expect(database).toEqual({ owner: OWNER_ROLE, encoding: "UTF8" });
  await ask(owner, "create schema if not exists ledger");
  await ask(owner, "create table ledger.event (position bigint primary key)");
  expect(await ask(owner, "select count(*)::int as n from ledger.event")).toEqual([{ n: 0 }]);
});

describe.each(serviceRoles)("the role %s", (role) => {
  test("can sign in with its password, also one with quotes in it", async () => {
    expect(await ask(service(role), "select current_user as me")).toEqual([{ me: role }]);
    await expect(ask({ role, password: "wrong" }, "select 1")).rejects.toMatchObject({
      code: "28P01",
    });
  });

  test("has no power of its own", async () => {
    const [powers] = await ask(
      "admin",
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolconnlimit
       from pg_roles where rolname = '${role}'`,
    );
    expect(powers).toEqual({
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      rolconnlimit: SERVICE_ROLES[role],
    });
    for (const text of [
      "create database mine",
      "create role mine",
      "create schema mine",
      "create table public.mine (n int)",
      "create temporary table mine (n int)",
      `set role ${OWNER_ROLE}`,
    ]) {
      await expect(ask(service(role), text)).rejects.toMatchObject(denied);
    }
  });

  test("sees nothing of a table until a migration grants it", async () => {
    await ask(owner, `create schema if not exists private_${role}`);
    await ask(owner, `create table if not exists private_${role}.secret (n int)`);
    const read = ask(service(role), `select * from private_${role}.secret`);
    await expect(read).rejects.toMatchObject(denied);
  });
});

describe("the roles of operators", () => {
  const operatorPasswords = {
    ledger_operator: "operator-password-16",
    ledger_inbox: "inbox-password-at-least-16",
  };
  const make = () =>
    provisionPostgres({ adminUrl: server.url, ownerPassword, servicePasswords, operatorPasswords });
  const signIn = (role: keyof typeof operatorPasswords) =>
    ask({ role, password: operatorPasswords[role] }, "select current_user as me");

  test("exist always, and sign in when they have a password", async () => {
    const states = () =>
      ask(
        "admin",
        `select rolname as role, rolcanlogin as "signsIn", rolconnlimit as connections,
           pg_has_role(oid, 'ledger_app', 'usage') as operates
           from pg_roles where rolname = any('{${operatorRoles.join(",")}}') order by 1`,
      );
    const state = (role: keyof typeof OPERATOR_ROLES, signsIn: boolean, operates = false) => ({
      role,
      signsIn,
      connections: OPERATOR_ROLES[role],
      operates,
    });
    expect(await states()).toEqual([
      state("ledger_inbox", false),
      state("ledger_operator", false, true),
      state("ledger_verifier", false),
    ]);
    await make();
    for (const role of ["ledger_operator", "ledger_inbox"] as const) {
      expect(await signIn(role)).toEqual([{ me: role }]);
    }
    await provision();
    await expect(signIn("ledger_inbox")).rejects.toMatchObject({ code: "28P01" });
  });

  test("may neither take on the owner's role nor that of the service", async () => {
    await make();
    await ask("admin", `grant ${OWNER_ROLE} to ledger_operator`);
    await make();
    const operator = { role: "ledger_operator", password: operatorPasswords.ledger_operator };
    for (const role of [OWNER_ROLE, SHREDDER_ROLE, "ledger_app"]) {
      await expect(ask(operator, `set role ${role}`)).rejects.toMatchObject(denied);
    }
    await provision();
  });
});

describe("the role that destroys personal data", () => {
  const shredder = async (): Promise<unknown> =>
    (
      await ask(
        "admin",
        `select rolcanlogin or rolsuper or rolcreatedb or rolcreaterole as powerful,
           array(select member::regrole::text from pg_auth_members where roleid = r.oid
                  order by 1) as members
         from pg_roles r where rolname = '${SHREDDER_ROLE}'`,
      )
    )[0];

  test("signs in nowhere, and only the owner's migrations reach it", async () => {
    expect(await shredder()).toEqual({ powerful: false, members: [OWNER_ROLE] });
    for (const role of serviceRoles) {
      await expect(ask(service(role), `set role ${SHREDDER_ROLE}`)).rejects.toMatchObject(denied);
    }
  });

  test("can receive a function from the owner, who does not get its rights", async () => {
    await ask(
      owner,
      `create schema if not exists given;
       create function given.shred() returns int language sql return 1;
       revoke all on function given.shred from public;
       grant create on schema given to ${SHREDDER_ROLE};
       alter function given.shred owner to ${SHREDDER_ROLE}`,
    );
    await expect(ask(owner, "select given.shred()")).rejects.toMatchObject(denied);
    await expect(ask("admin", `drop role ${SHREDDER_ROLE}`)).rejects.toMatchObject({
      code: "2BP01",
    });
  });

  test("is repaired, also where it was never made", async () => {
    await ask("admin", `alter role ${SHREDDER_ROLE} login createdb`);
    await ask("admin", `grant ${SHREDDER_ROLE} to ledger_app`);
    await ask("admin", `revoke ${SHREDDER_ROLE} from ${OWNER_ROLE}`);
    await provision();
    expect(await shredder()).toEqual({ powerful: false, members: [OWNER_ROLE] });
    await ask("admin", `alter role ${SHREDDER_ROLE} rename to renamed_role`);
    await provision();
    expect(await shredder()).toEqual({ powerful: false, members: [OWNER_ROLE] });
  });
});

test("no other role can connect to the database", async () => {
  await ask("admin", "create role stranger login password 'stranger-password'");
  const login = { role: "stranger", password: "stranger-password" };
  await expect(ask(login, "select 1")).rejects.toMatchObject(denied);
});

test("running it again keeps the data, and repairs what was changed by hand", async () => {
  await ask(owner, "create table public.kept as select 1 as n");
  await ask("admin", "alter role ledger_app superuser createdb");
  await ask("admin", `grant ${OWNER_ROLE} to collector_app`);
  await ask("admin", "grant connect on database pro_talent to public");
  await provision();
  await ask("admin", "alter role ledger_app connection limit 1");
  await provision();
  const [role] = await ask(
    "admin",
    "select rolconnlimit from pg_roles where rolname = 'ledger_app'",
  );
  expect(role).toEqual({ rolconnlimit: 60 });
  expect(await ask(owner, "select n from public.kept")).toEqual([{ n: 1 }]);
  await expect(ask(service("ledger_app"), "create database mine")).rejects.toMatchObject(denied);
  const asOwner = ask(service("collector_app"), `set role ${OWNER_ROLE}`);
  await expect(asOwner).rejects.toMatchObject(denied);
});

test("running it again when all is well writes nothing", async () => {
  await provision();
  const position = async (): Promise<unknown> =>
    (await ask("admin", "select pg_current_wal_insert_lsn() as position"))[0]?.["position"];
  // Postgres itself writes now and then; three runs without a write in a row are no accident.
  await ask("admin", "checkpoint");
  const before = await position();
  for (let round = 0; round < 3; round += 1) await provision();
  expect(await position()).toBe(before);
});

test("a new password replaces the old one", async () => {
  const changed = { ...servicePasswords, collector_app: "another-password-16" };
  await provision(changed);
  const old = ask(service("collector_app"), "select 1");
  await expect(old).rejects.toMatchObject({ code: "28P01" });
  const login = { role: "collector_app", password: changed.collector_app };
  expect(await ask(login, "select 1 as n")).toEqual([{ n: 1 }]);
  await provision();
});

test("several at once do not get in each other's way, also for a new database", async () => {
  await Promise.all(
    Array.from({ length: 5 }, () =>
      provisionPostgres({
        adminUrl: server.url,
        ownerPassword,
        servicePasswords,
        database: "together",
      }),
    ),
  );
  const login = { ...service("ledger_app"), database: "together" };
  expect(await ask(login, "select current_database() as name")).toEqual([{ name: "together" }]);
});

test("no password reaches the server in the clear", async () => {
  const [role] = await ask(
    "admin",
    "select rolpassword from pg_authid where rolname = 'ledger_app'",
  );
  expect(role?.["rolpassword"]).toMatch(/^SCRAM-SHA-256\$4096:/);
});

test("works as a command, with everything in the environment", async () => {
  const script = fileURLToPath(new URL("provision.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    env: {
      POSTGRES_ADMIN_URL: server.url,
      POSTGRES_OWNER_PASSWORD: ownerPassword,
      LEDGER_APP_PASSWORD: servicePasswords.ledger_app,
      LEDGER_KEEPER_PASSWORD: servicePasswords.ledger_keeper,
      COLLECTOR_APP_PASSWORD: servicePasswords.collector_app,
      ACCOUNTS_APP_PASSWORD: servicePasswords.accounts_app,
      INSIGHTS_APP_PASSWORD: servicePasswords.insights_app,
      STUDIO_APP_PASSWORD: servicePasswords.studio_app,
      JOBS_APP_PASSWORD: servicePasswords.jobs_app,
    },
  });
  expect(stdout).toContain("pro_talent");
});
