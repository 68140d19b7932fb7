import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

import { isoCBOR } from "@simplewebauthn/server/helpers";
import { z } from "zod";

/** What a dishonest or simple authenticator or browser does differently. */
export type Deviation = {
  /** The page that asks, where it is another one than the site. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly userVerified?: boolean;
  /** Instead of one more than the last. */
  readonly counter?: number;
  /** Signed with a key that the site does not know. */
  readonly key?: KeyObject;
  readonly userHandle?: string;
  /** Certificates of an attestation. */
  readonly x5c?: readonly Uint8Array<ArrayBuffer>[];
};

const Options = z.looseObject({ challenge: z.string() });
const CreationOptions = Options.extend({
  rp: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
});
const RequestOptions = Options.extend({ rpId: z.string() });

const sha256 = (bytes: string | Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const newKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

/**
 * An authenticator with one passkey (ES256, attestation none), and the browser before it: answers the
 * options of both ceremonies as WebAuthn Level 3 says, §6.1 and §7.
 */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(16);
  readonly #origin: string;
  readonly #keys = newKeys();
  #counter = 0;
  #userHandle = "";

  /** @param origin of the page that asks */
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Answers the options of a registration. */
  create(options: unknown, deviation: Deviation = {}) {
    const { challenge, rp, user } = CreationOptions.parse(options);
    this.#userHandle = user.id;
    const authData = this.#authenticatorData(rp.id, deviation, this.#attestedCredential());
    const { x5c } = deviation;
    const statement = new Map(x5c && [["x5c", [...x5c]]]);
    const attestation = new Map<string, string | typeof statement | Uint8Array<ArrayBuffer>>([
      ["fmt", x5c === undefined ? "none" : "packed"],
      ["attStmt", statement],
      ["authData", Uint8Array.from(authData)],
    ]);
    return this.#credential({
      clientDataJSON: base64url(this.#clientData("webauthn.create", challenge, deviation)),
      attestationObject: base64url(isoCBOR.encode(attestation)),
      transports: ["internal"],
    });
  }

  /** Answers the options of an authentication. */
  get(options: unknown, deviation: Deviation = {}) {
    const { challenge, rpId } = RequestOptions.parse(options);
    const clientData = this.#clientData("webauthn.get", challenge, deviation);
    const authenticatorData = this.#authenticatorData(rpId, deviation);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return this.#credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign("sha256", signed, deviation.key ?? this.#keys.privateKey)),
      userHandle: deviation.userHandle ?? this.#userHandle,
    });
  }

  #credential<Response>(response: Response) {
    const id = base64url(this.credentialId);
    return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const { origin = this.#origin } = deviation;
    const data = { type, challenge: deviation.challenge ?? challenge, origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data));
  }

  /** SHA-256 of the host ‖ flags (present 1, verified 4, credential 64) ‖ counter ‖ credential. */
  #authenticatorData(rpId: string, deviation: Deviation, attested?: Buffer): Buffer {
    const { userVerified = true, counter = this.#counter + 1 } = deviation;
    this.#counter = counter;
    const head = Buffer.alloc(5);
    head[0] = 1 | (userVerified ? 4 : 0) | (attested ? 64 : 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(deviation.rpId ?? rpId), head, attested ?? Buffer.alloc(0)]);
  }

  /** AAGUID ‖ length of the id ‖ id ‖ COSE key (kty EC2, alg ES256, crv P-256, x, y). */
  #attestedCredential(): Buffer {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, "base64url"))],
      [-3, Uint8Array.from(Buffer.from(y, "base64url"))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    return Buffer.concat([Buffer.alloc(16), length, this.credentialId, isoCBOR.encode(key)]);
  }
}

/** The private key of an authenticator that the site does not know. */
export const foreignKey = (): KeyObject => newKeys().privateKey;
