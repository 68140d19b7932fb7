import { randomBytes, randomUUID } from "node:crypto";

import { beforeEach, describe, expect, it } from "vitest";

import {
  authenticationOptions,
  registrationOptions,
  relyingPartyOf,
  statedCredential,
  type StoredPasskey,
  verifyAuthentication,
  verifyRegistration,
} from "./passkey-ceremonies.ts";
import {
  type Deviation,
  foreignKey,
  SoftwareAuthenticator,
} from "./testing/software-authenticator.ts";

const origin = "https://pro-talent.example";
const party = relyingPartyOf(origin);
const accountId = randomUUID();
const newChallenge = () => randomBytes(32).toString("base64url");

let authenticator: SoftwareAuthenticator;
beforeEach(() => {
  authenticator = new SoftwareAuthenticator(origin);
});

async function register(deviation: Deviation = {}) {
  const challenge = newChallenge();
  const person = { accountId, email: "noa@example.com", fullName: "Noa Levi" };
  const options = await registrationOptions(party, { challenge, ...person, existing: [] });
  return verifyRegistration(party, {
    challenge,
    response: authenticator.create(options, deviation),
  });
}

async function registered(deviation?: Deviation): Promise<StoredPasskey> {
  const passkey = await register(deviation);
  if (passkey === undefined) throw new Error("The passkey was refused");
  return passkey;
}

async function authenticate(passkey: StoredPasskey, deviation: Deviation = {}, owner = accountId) {
  const challenge = newChallenge();
  const options = await authenticationOptions(party, { challenge, allowed: [passkey] });
  const response = authenticator.get(options, deviation);
  return verifyAuthentication(party, { challenge, response, accountId: owner, passkey });
}

describe("16: a new passkey", () => {
  it("is taken when it verified its user", async () => {
    expect(await register()).toMatchObject({
      credentialId: authenticator.credentialId.toString("base64url"),
      counter: 1,
      transports: ["internal"],
      backedUp: false,
    });
  });

  it("is asked to find its account by itself, to verify its user, and not to be a second one", async () => {
    const passkey = await registered();
    const person = { accountId, email: "noa@example.com", fullName: "Noa Levi" };
    const asked = { challenge: newChallenge(), ...person, existing: [passkey] };
    expect(await registrationOptions(party, asked)).toMatchObject({
      rp: { id: "pro-talent.example", name: "Pro Talent" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ id: passkey.credentialId }],
    });
  });

  const deviations: [string, Deviation][] = [
    ["without its user verified", { userVerified: false }],
    ["from another origin", { origin: "https://pro-talent.example.evil.example" }],
    ["from a part of the site", { origin: "https://a.pro-talent.example" }],
    ["over plain HTTP", { origin: "http://pro-talent.example" }],
    ["for another host", { rpId: "evil.example" }],
    ["to another challenge", { challenge: newChallenge() }],
    ["with certificates, which would be fetched", { x5c: [Uint8Array.of(1)] }],
  ];
  it.each(deviations)("is refused %s", async (_how, deviation) => {
    expect(await register(deviation)).toBeUndefined();
  });

  it("is refused when it is no passkey at all", async () => {
    const wrong = { id: "AAAA", rawId: "AAAA", type: "public-key" };
    const response = { clientDataJSON: "e30", attestationObject: "oA" };
    for (const sent of [null, {}, wrong, { ...wrong, response }]) {
      expect(await verifyRegistration(party, { challenge: "A", response: sent })).toBeUndefined();
    }
  });
});

describe("16: a sign-in with a passkey", () => {
  it("counts, and raises the counter", async () => {
    const passkey = await registered();
    expect(await authenticate(passkey)).toEqual({ counter: 2, backedUp: false });
  });

  it("counts from a passkey that is synchronised and counts nothing", async () => {
    const passkey = await registered({ counter: 0 });
    expect(passkey.counter).toBe(0);
    expect(await authenticate(passkey, { counter: 0 })).toMatchObject({ counter: 0 });
  });

  const deviations: [string, Deviation][] = [
    ["without its user verified", { userVerified: false }],
    ["from another origin", { origin: "https://evil.example" }],
    ["for another host", { rpId: "evil.example" }],
    ["to another challenge", { challenge: newChallenge() }],
    ["with the counter of before", { counter: 1 }],
    ["with a counter that went back", { counter: 0 }],
    ["signed by another key", { key: foreignKey() }],
    ["for another account", { userHandle: randomBytes(16).toString("base64url") }],
  ];
  it.each(deviations)("is refused %s", async (_how, deviation) => {
    expect(await authenticate(await registered(), deviation)).toBeUndefined();
  });

  it("is refused for another account's passkey, and for another passkey of the account", async () => {
    const passkey = await registered();
    expect(await authenticate(passkey, {}, randomUUID())).toBeUndefined();
    const other = { ...passkey, credentialId: randomBytes(16).toString("base64url") };
    expect(await authenticate(other)).toBeUndefined();
  });

  it("states which passkey it is of, before it is verified", async () => {
    const { credentialId } = await registered();
    const options = await authenticationOptions(party, { challenge: newChallenge(), allowed: [] });
    expect(options).toMatchObject({ userVerification: "required", rpId: "pro-talent.example" });
    expect(statedCredential(authenticator.get(options))).toBe(credentialId);
    expect(statedCredential({ id: 1 })).toBeUndefined();
  });
});
