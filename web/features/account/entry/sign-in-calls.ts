import type { FactorRequired } from "@pro-talent/schemas/accounts/sign-in";
import type { z } from "zod";

import { siteApi } from "../../../api-client/request.ts";
import { storeToken } from "../../../api-client/token.ts";
import { textIn } from "../../form-machine.ts";
import { type Refused, refusalIn } from "../../submission.machine.ts";
import { askForPasskey, offersPasskeys } from "../passkey.ts";

export type Factors = Pick<z.infer<typeof FactorRequired>, "challenge" | "methods">;
export type CodeMethod = "totp" | "recovery";

/** How one step of a sign-in ended. */
export type StepResult =
  | { kind: "signed-in" }
  | { kind: "factor-required"; factors: Factors }
  /** The account holder did not use the passkey that was asked for. */
  | { kind: "unused" }
  | { kind: "refused"; refused: Refused };

const refusedWith = (refused: Refused | undefined): StepResult => ({
  kind: "refused",
  refused: refused ?? { fault: "failed" },
});

const signedIn = ({ token }: { token: string }): StepResult =>
  storeToken(token) ? { kind: "signed-in" } : refusedWith({ fault: "storage" });

/** @throws TypeError when there is no answer; so do the others */
export async function signIn(data: FormData): Promise<StepResult> {
  const body = { email: textIn(data, "email").trim(), password: textIn(data, "password") };
  const result = await siteApi().call("POST /api/account/sign-in", { body });
  if (!result.ok || result.answer === undefined) return refusedWith(refusalIn(result));
  const { answer } = result;
  if (answer.status === "signed-in") return signedIn(answer);
  return { kind: "factor-required", factors: answer };
}

export async function signInWithCode(
  { challenge }: Factors,
  method: CodeMethod,
  data: FormData,
): Promise<StepResult> {
  const body = { challenge, method, code: textIn(data, "code").trim() };
  const result = await siteApi().call("POST /api/account/sign-in/code", { body });
  if (result.ok && result.answer !== undefined) return signedIn(result.answer);
  return refusedWith(refusalIn(result, { code_wrong: "code" }));
}

/** @param factors of a sign-in that needs a second factor; a passkey alone is both */
export async function signInWithPasskey(
  factors: Factors | undefined,
  autofill = false,
): Promise<StepResult> {
  const api = siteApi();
  const begun = await api.call("POST /api/account/sign-in/passkey/options", {
    body: factors === undefined ? {} : { challenge: factors.challenge },
  });
  if (!begun.ok || begun.answer === undefined) return refusedWith(refusalIn(begun));
  const { ceremony, options } = begun.answer;
  const response = await askForPasskey(options, autofill);
  if (response === undefined) return { kind: "unused" };
  const body = { ceremony, response };
  const result = await api.call("POST /api/account/sign-in/passkey", { body });
  return result.ok && result.answer !== undefined
    ? signedIn(result.answer)
    : refusedWith(refusalIn(result));
}

/** Offers passkeys in the field of the address, where the browser can. */
export async function signInByAutofill(): Promise<StepResult> {
  if (!(await offersPasskeys())) return { kind: "unused" };
  const result = await signInWithPasskey(undefined, true);
  // Only a passkey that was chosen is worth a word: the offer itself was not asked for.
  const chosen = result.kind !== "refused" || result.refused.fault === "passkeyRefused";
  return chosen ? result : { kind: "unused" };
}
