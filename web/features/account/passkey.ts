import type { CeremonyResponse } from "@pro-talent/schemas/accounts/sign-in";
import type { z } from "zod";

const load = () => import("@simplewebauthn/browser");

/** Options and responses as the contract has them: JSON of WebAuthn Level 3. */
type WebAuthnJson = Readonly<Record<string, unknown>>;
export type PasskeyResponse = z.infer<typeof CeremonyResponse>["response"];

/** Whether this browser knows passkeys at all. */
export const knowsPasskeys = (): boolean => "PublicKeyCredential" in globalThis;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library returns plain JSON
const jsonOf = (response: object) => response as PasskeyResponse;

/**
 * Asks the browser for a passkey.
 * @returns its response; undefined when the account holder did not use one
 */
export async function askForPasskey(
  options: WebAuthnJson,
  autofill = false,
): Promise<PasskeyResponse | undefined> {
  const { startAuthentication } = await load();
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server makes them with the library's other half; the contract has them as JSON
    const optionsJSON = options as never;
    return jsonOf(await startAuthentication({ optionsJSON, useBrowserAutofill: autofill }));
  } catch {
    // Refused, timed out or replaced by another request: browsers do not say which.
    return undefined;
  }
}

/** Creates a passkey on this device; undefined when the account holder did not. */
export async function createPasskey(options: WebAuthnJson): Promise<PasskeyResponse | undefined> {
  const { startRegistration } = await load();
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return jsonOf(await startRegistration({ optionsJSON: options as never }));
  } catch {
    return undefined;
  }
}

/** Whether the browser offers passkeys in the field of the address. */
export async function offersPasskeys(): Promise<boolean> {
  if (!knowsPasskeys()) return false;
  return (await load()).browserSupportsWebAuthnAutofill();
}

/** Ends a request that waits for a passkey. */
export async function stopAsking(): Promise<void> {
  (await load()).WebAuthnAbortService.cancelCeremony();
}
