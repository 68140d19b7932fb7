import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { refusal } from "./engine-error.ts";
import { quotedIdentifier } from "./literals.ts";
import { tokensOf } from "./sql-tokens.ts";

/** The user that every connection of the engine has, and that may do everything. */
export const USER = "default";

const User = z.object({
  passwordHash: z.string(),
  validUntil: z.number().nullable(),
  database: z.string().nullable(),
  settings: z.array(z.tuple([z.string(), z.string()])),
  roles: z.array(z.string()),
});
/** A user besides `default`: what they may do is what their roles may. */
export type User = z.infer<typeof User>;
/** Grants of each role, as the engine writes them. */
const Stored = z.object({
  users: z.record(z.string(), User),
  roles: z.record(z.string(), z.array(z.string())),
});
type Stored = z.infer<typeof Stored>;

/** Of the rights that a user has directly. No statement can name it: names are words. */
const ownRole = (user: string): string => `own-${user}`;
const allRights = ["GRANT ALL ON *.* WITH GRANT OPTION"];

export const passwordHash = (password: string): string =>
  createHash("sha256").update(password).digest("hex");

/** Whether a statement is about users and roles, so that it is executed here. */
export function isAboutUsers(sql: string): boolean {
  const [first, second] = tokensOf(sql);
  if (first?.text === "GRANT") return true;
  const isAbout = second?.text === "USER" || second?.text === "ROLE";
  return isAbout && (first?.text === "CREATE" || first?.text === "DROP");
}

/**
 * Users and roles. The engine enforces roles, but it reads them from a file when it opens, and has no user
 * besides `default`. So both are kept here, and the engine is opened anew after a statement about them.
 */
export class Users {
  readonly #dir: string;
  #state: Stored = { users: {}, roles: {} };

  /** @param dir where they are kept */
  constructor(dir: string) {
    this.#dir = dir;
    if (!existsSync(this.#file)) return;
    this.#state = Stored.parse(JSON.parse(readFileSync(this.#file, "utf8")));
  }

  get #file(): string {
    return join(this.#dir, "users.json");
  }

  find(name: string): User | undefined {
    return Object.hasOwn(this.#state.users, name) ? this.#state.users[name] : undefined;
  }

  /** Options with which the engine opens; none as long as there are no roles. */
  engineOptions(): readonly string[] {
    if (Object.keys(this.#state.roles).length === 0) return [];
    const users = join(this.#dir, "users.xml");
    const config = join(this.#dir, "config.xml");
    const path = `<users_xml><path>${escaped(users)}</path></users_xml>`;
    const xml = `<clickhouse><user_directories>${path}</user_directories></clickhouse>`;
    writeFileSync(users, usersXml(this.#state.roles), { mode: 0o600 });
    writeFileSync(config, xml, { mode: 0o600 });
    return [`--config-file=${config}`];
  }

  /**
   * Executes a statement about users and roles.
   * @param sql as the engine writes it
   * @param reopen opens the engine with options; when that fails, everything is as before
   * @throws {EngineError} 48 for what is not supported, and for names that exist or do not
   */
  async execute(
    sql: string,
    database: string,
    reopen: (options: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const before = this.#state;
    const change = [createUser, createRole, grantRights, grantRoles, drop]
      .map((rule) => rule(structuredClone(before), sql, database))
      .find((after) => after !== undefined);
    if (change === undefined) {
      throw refusal("NOT_IMPLEMENTED", "This statement about users is not supported here.");
    }
    this.#state = change;
    try {
      await reopen(this.engineOptions());
    } catch (error) {
      this.#state = before;
      await reopen(this.engineOptions());
      throw refusal("BAD_ARGUMENTS", `The engine refuses it: ${String(error)}`);
    }
    writeFileSync(`${this.#file}.new`, JSON.stringify(change), { mode: 0o600, flush: true });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

type Rule = (state: Stored, sql: string, database: string) => Stored | undefined;

const userClauses =
  /^CREATE USER (?<mode>IF NOT EXISTS |OR REPLACE )?(?<name>[A-Za-z_]\w*) IDENTIFIED (?:WITH (?:sha256_password|plaintext_password|(?<hash>sha256_hash)) )?BY '(?<secret>(?:[^'\\]|\\.)*)'(?: VALID UNTIL '(?<until>[^']*)')?(?: DEFAULT DATABASE `?(?<database>\w+)`?)?(?: SETTINGS (?<settings>\w+ = (?:\w+|'[^']*')(?:, \w+ = (?:\w+|'[^']*'))*))?$/u;

const createUser: Rule = (state, sql) => {
  const clauses = userClauses.exec(sql)?.groups;
  if (clauses === undefined) return undefined;
  const { mode, name = "", until, database, settings = "" } = clauses;
  const isKnown = Object.hasOwn(state.users, name);
  if (name === USER || (isKnown && mode === undefined)) throw exists("user", name);
  if (isKnown && mode?.startsWith("IF") === true) return state;
  Reflect.deleteProperty(state.roles, ownRole(name));
  state.users[name] = {
    passwordHash: hashOf(clauses),
    validUntil: until === undefined ? null : endOf(until),
    database: database ?? null,
    settings: settingsOf(settings),
    roles: [],
  };
  return state;
};

function hashOf({ hash, secret = "" }: Record<string, string | undefined>): string {
  const given = secret.replaceAll(/\\(.)/gu, "$1");
  return hash === undefined ? passwordHash(given) : given.toLowerCase();
}

function endOf(until: string): number {
  const end = Date.parse(until);
  if (Number.isNaN(end)) throw refusal("BAD_ARGUMENTS", "The end can't be read.");
  return end;
}

/** Of `a = 1, b = 'text'`. */
const settingsOf = (text: string): User["settings"] =>
  [...text.matchAll(/(\w+) = '?([^',]*)'?/gu)].map(([, name = "", value = ""]) => [name, value]);

const createRole: Rule = (state, sql) => {
  const { mode, name = "" } =
    /^CREATE ROLE (?<mode>IF NOT EXISTS |OR REPLACE )?(?<name>[A-Za-z_]\w*)$/u.exec(sql)?.groups ??
    {};
  if (name === "") return undefined;
  if (Object.hasOwn(state.roles, name) && mode === undefined) throw exists("role", name);
  if (!Object.hasOwn(state.roles, name) || mode?.startsWith("OR") === true) state.roles[name] = [];
  return state;
};

/** Of rights, to a role or a user. */
const grantRights: Rule = (state, sql, database) => {
  const {
    rights = "",
    on = "",
    to = "",
  } = /^GRANT (?<rights>[A-Z][\w (),]*) ON (?<on>\S+) TO (?<to>\w+)$/u.exec(sql)?.groups ?? {};
  if (rights === "") return undefined;
  const target = on.includes(".") ? on : `${quotedIdentifier(database)}.${on}`;
  const user = Object.hasOwn(state.roles, to) ? undefined : userOf(state, to);
  const role = user === undefined ? to : ownRole(to);
  if (user !== undefined && !user.roles.includes(role)) user.roles.push(role);
  (state.roles[role] ??= []).push(`GRANT ${rights} ON ${target}`);
  return state;
};

/** Of roles, to a user. */
const grantRoles: Rule = (state, sql) => {
  const { roles = "", to = "" } =
    /^GRANT (?<roles>\w+(?:, \w+)*) TO (?<to>\w+)$/u.exec(sql)?.groups ?? {};
  if (roles === "") return undefined;
  const user = userOf(state, to);
  for (const role of roles.split(", ")) {
    if (!Object.hasOwn(state.roles, role)) throw unknownRole(role);
    if (!user.roles.includes(role)) user.roles.push(role);
  }
  return state;
};

const drop: Rule = (state, sql) => {
  const {
    kind,
    mode,
    names = "",
  } = /^DROP (?<kind>USER|ROLE) (?<mode>IF EXISTS )?(?<names>\w+(?:, \w+)*)$/u.exec(sql)?.groups ??
  {};
  if (names === "") return undefined;
  for (const name of names.split(", ")) {
    if (kind === "USER") {
      if (mode === undefined) userOf(state, name);
      Reflect.deleteProperty(state.users, name);
      Reflect.deleteProperty(state.roles, ownRole(name));
      continue;
    }
    if (!Object.hasOwn(state.roles, name) && mode === undefined) throw unknownRole(name);
    Reflect.deleteProperty(state.roles, name);
    for (const user of Object.values(state.users)) {
      user.roles = user.roles.filter((role) => role !== name);
    }
  }
  return state;
};

const exists = (kind: string, name: string) =>
  refusal("ACCESS_ENTITY_ALREADY_EXISTS", `There is a ${kind} \`${name}\` already.`);
const unknownRole = (name: string) => refusal("UNKNOWN_ROLE", `There is no role \`${name}\`.`);

function userOf({ users }: Stored, name: string): User {
  const user = Object.hasOwn(users, name) ? users[name] : undefined;
  if (user !== undefined) return user;
  throw refusal("UNKNOWN_USER", `There is no user \`${name}\`.`);
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** `default` has every role, of which one has all rights. */
function usersXml(roles: Stored["roles"]): string {
  const grants = (list: readonly string[]): string =>
    `<grants>${list.map((grant) => `<query>${escaped(grant)}</query>`).join("")}</grants>`;
  const all = Object.entries({ [ownRole(USER)]: allRights, ...roles });
  const defined = all.map(([name, list]) => {
    // Without any grant in it an element would be no role.
    return `<${name}>${grants(list.length === 0 ? ["GRANT USAGE ON *.*"] : list)}</${name}>`;
  });
  const own = `<password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>${grants(all.map(([name]) => `GRANT ${quotedIdentifier(name)}`))}`;
  return `<clickhouse><profiles><default/></profiles><quotas><default/></quotas><roles>${defined.join("")}</roles><users><${USER}>${own}</${USER}></users></clickhouse>`;
}

/**
 * What a user besides `default` may not do although the engine, for which there is one user, lets them: end
 * the queries of others, change their role, and read files of this process.
 * @throws {EngineError} 497
 */
export function refuseBeyondRights(sql: string): void {
  const tokens = [...tokensOf(sql)];
  const first = tokens[0]?.text ?? "";
  const isSetRole = first === "SET" && /^(?:ROLE|DEFAULT)$/u.test(tokens[1]?.text ?? "");
  const readsFile = tokens.some(
    ({ kind, start, end }, at) =>
      tokens[at + 1]?.text === "(" &&
      (/^[`"]?file[`"]?$/iu.test(sql.slice(start, end)) ||
        (kind === "quoted" && sql.slice(start, end).includes("\\"))),
  );
  if (!isSetRole && !readsFile && first !== "KILL" && first !== "EXECUTE") return;
  throw refusal("ACCESS_DENIED", "Not enough privileges.");
}
