import { privacyFormLimits } from "@pro-talent/schemas/privacy/form";

import { type CallAnswer, type CallResult, siteApi } from "../../api-client/request.ts";
import { textIn } from "../form-machine.ts";
import { saveFile } from "../save-file.ts";

export type FormRequest = CallAnswer<"POST /api/privacy/form/status">["request"];

/** What the buttons of the page do; the first one is that of the Enter key. */
export type StatusAct = "verify" | "download" | "code" | "end";
export const actField = "act";

/** What was pressed, and the code that was entered with it. */
export type Pressed = { readonly act: StatusAct; readonly code: string };

/** A code has only digits; it may be typed in groups. */
export function readPressed(data: FormData): Pressed {
  const act = textIn(data, actField);
  return {
    act: act === "download" || act === "code" || act === "end" ? act : "verify",
    code: textIn(data, "code").replaceAll(/[\s-]/gu, ""),
  };
}

export const needsCode = ({ act }: Pressed): boolean => act === "verify" || act === "download";
export const hasCode = ({ code }: Pressed): boolean =>
  new RegExp(`^\\d{${privacyFormLimits.codeDigits}}$`, "u").test(code);

export type StatusTrouble =
  | "codeRequired"
  | "codeWrong"
  | "codeEnded"
  | "tooMany"
  | "tooLate"
  | "packageEnded"
  | "failed"
  | "network";

/** The request as it stands now; `unknown`: the link leads to none. */
export type StatusResult =
  | { readonly kind: "known"; readonly request: FormRequest; readonly trouble?: StatusTrouble }
  | { readonly kind: "unknown" | "failed" };

function troubleOf(code: string | undefined): StatusTrouble {
  switch (code) {
    case "code_wrong":
    case "invalid_body":
      return "codeWrong";
    case "code_ended":
      return "codeEnded";
    case "rate_limited":
      return "tooMany";
    case "not_possible_now":
    case "erasing_already":
      return "tooLate";
    case "package_ended":
      return "packageEnded";
    default:
      return "failed";
  }
}

/** @throws when there is no answer */
export async function loadStatus(token: string): Promise<StatusResult> {
  const result = await siteApi().call("POST /api/privacy/form/status", { body: { token } });
  if (result.ok && result.answer !== undefined)
    return { kind: "known", request: result.answer.request };
  const code = result.ok ? undefined : result.code;
  return { kind: code === "token_unknown" || code === "invalid_body" ? "unknown" : "failed" };
}

/** The package, saved as a file. @returns why not @throws when there is no answer */
async function download(token: string, code: string): Promise<StatusTrouble | undefined> {
  const answer = await fetch("/api/privacy/form/package", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, code }),
  });
  if (!answer.ok) {
    const problem: unknown = await answer.json().catch(() => undefined);
    const isProblem = typeof problem === "object" && problem !== null && "code" in problem;
    return troubleOf(isProblem ? String(problem.code) : undefined);
  }
  saveFile(await answer.blob(), "pro-talent-data.zip");
  return undefined;
}

type ChangeCall =
  | "POST /api/privacy/form/code"
  | "POST /api/privacy/form/verification"
  | "POST /api/privacy/form/end";

async function change(token: string, { act, code }: Pressed): Promise<CallResult<ChangeCall>> {
  const { call } = siteApi();
  if (act === "code") return await call("POST /api/privacy/form/code", { body: { token } });
  if (act === "end") return await call("POST /api/privacy/form/end", { body: { token } });
  return await call("POST /api/privacy/form/verification", { body: { token, code } });
}

/**
 * Does what was pressed. What is refused is shown with the request as it stands by then.
 * @throws when there is no answer
 */
export async function pressStatus(token: string, pressed: Pressed): Promise<StatusResult> {
  if (pressed.act === "download") {
    const trouble = await download(token, pressed.code);
    const after = await loadStatus(token);
    return after.kind === "known" && trouble !== undefined ? { ...after, trouble } : after;
  }
  const result = await change(token, pressed);
  if (result.ok && result.answer !== undefined)
    return { kind: "known", request: result.answer.request };
  const code = result.ok ? undefined : result.code;
  const after = await loadStatus(token);
  return after.kind === "known" ? { ...after, trouble: troubleOf(code) } : after;
}
