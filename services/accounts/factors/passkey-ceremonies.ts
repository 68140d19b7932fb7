import { Ceremony } from "@pro-talent/schemas/accounts/sign-in";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import { z } from "zod";

/** Whose passkeys they are: the site. */
export type RelyingParty = { readonly name: string; readonly id: string; readonly origin: string };

/** @param publicOrigin of the site; passkeys belong to its host and to no other */
export function relyingPartyOf(publicOrigin: string): RelyingParty {
  const { hostname, origin } = new URL(publicOrigin);
  return { name: "Pro Talent", id: hostname, origin };
}

/** A passkey as it is stored. */
export type StoredPasskey = {
  /** In base64url; chosen by the authenticator. */
  readonly credentialId: string;
  /** A COSE key. */
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
};

/** ES256, EdDSA, RS256: what authenticators have. */
const algorithms = [-7, -8, -257];
const ceremonyMs = 5 * 60_000;

const Base64Url = z.base64url().max(20_000);
const credential = {
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal("public-key"),
};
const Registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
});
const Authentication = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.optional(),
  }),
});

/**
 * What the browser needs to make a passkey: one that finds its account by itself, and that verifies its
 * user.
 * @param options.challenge 32 random bytes in base64url, used once
 */
export async function registrationOptions(
  { id, name }: RelyingParty,
  options: {
    readonly challenge: string;
    readonly accountId: string;
    readonly email: string;
    readonly fullName: string;
    readonly existing: readonly StoredPasskey[];
  },
) {
  const { challenge, accountId, email, fullName, existing } = options;
  const made = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: userHandleOf(accountId),
    userName: email,
    userDisplayName: fullName,
    challenge: isoBase64URL.toBuffer(challenge),
    timeout: ceremonyMs,
    attestationType: "none",
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
  });
  return asJson(made);
}

/**
 * A new passkey, if the response is one of this site and to this challenge, and its user was verified.
 * @param response as the browser sent it
 */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  { challenge, response }: { readonly challenge: string; readonly response: unknown },
): Promise<(StoredPasskey & { readonly backedUp: boolean }) | undefined> {
  const parsed = Registration.safeParse(response);
  if (!parsed.success || !attestsItself(parsed.data.response.attestationObject)) return undefined;
  const result = await orUndefined(() =>
    verifyRegistrationResponse({
      response: { ...parsed.data, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (result?.verified !== true) return undefined;
  const { credential: made, credentialBackedUp } = result.registrationInfo;
  return {
    credentialId: made.id,
    publicKey: made.publicKey,
    counter: made.counter,
    transports: parsed.data.response.transports,
    backedUp: credentialBackedUp,
  };
}

/**
 * None was asked for. Certificates in a statement are refused unread: to check them the library would
 * fetch addresses that the sender chose.
 */
function attestsItself(attestationObject: string): boolean {
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    return ["none", "packed"].includes(decoded.get("fmt")) && !decoded.get("attStmt").get("x5c");
  } catch {
    return false;
  }
}

/**
 * What the browser needs to sign in with a passkey.
 * @param options.allowed those of a known account; without any, the authenticator offers its accounts
 */
export async function authenticationOptions(
  { id }: RelyingParty,
  options: { readonly challenge: string; readonly allowed: readonly StoredPasskey[] },
) {
  const made = await generateAuthenticationOptions({
    rpID: id,
    challenge: isoBase64URL.toBuffer(options.challenge),
    timeout: ceremonyMs,
    allowCredentials: options.allowed.map(descriptorOf),
    userVerification: "required",
  });
  return asJson(made);
}

/** The passkey that a response states to be of; undefined for what is no response. */
export function statedCredential(response: unknown): string | undefined {
  return Authentication.safeParse(response).data?.id;
}

/**
 * Whether a response proves this passkey and that its user was verified: by origin, host, challenge,
 * signature, and a counter above the last one (a copied authenticator is refused; passkeys that are
 * synchronised count nothing).
 * @returns what has changed of the passkey, or undefined
 */
export async function verifyAuthentication(
  { id, origin }: RelyingParty,
  proof: {
    readonly challenge: string;
    readonly response: unknown;
    readonly accountId: string;
    readonly passkey: StoredPasskey;
  },
): Promise<{ readonly counter: number; readonly backedUp: boolean } | undefined> {
  const { challenge, response, accountId, passkey } = proof;
  const { data } = Authentication.safeParse(response);
  if (data === undefined || data.id !== passkey.credentialId) return undefined;
  const { userHandle, ...rest } = data.response;
  const isOfAccount = userHandle === isoBase64URL.fromBuffer(userHandleOf(accountId));
  if (userHandle !== undefined && !isOfAccount) return undefined;
  const result = await orUndefined(() =>
    verifyAuthenticationResponse({
      response: { ...data, response: rest, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.counter,
      },
    }),
  );
  if (result?.verified !== true) return undefined;
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  return { counter: newCounter, backedUp: credentialBackedUp };
}

/** The bytes of the account's id: WebAuthn allows nothing in it that identifies the person. */
function userHandleOf(accountId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(accountId.replaceAll("-", ""), "hex"));
}

/** As it is sent: what is undefined is left out. */
const asJson = (options: object) =>
  Ceremony.shape.options.parse(JSON.parse(JSON.stringify(options)));

function descriptorOf({ credentialId, transports }: StoredPasskey) {
  return { id: credentialId, transports: [...transports] };
}

/** The library reports every response that does not fit, whatever the reason, by an error. */
async function orUndefined<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
