/** An answer that is not 200. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> };

  constructor(status: number, error: Record<string, unknown>) {
    super(String(error["code"] ?? error["type"]));
    this.status = status;
    this.body = { error: { message: "Refused by the test server", ...error } };
  }
}

/** @throws always */
export function refuse(status: number, code: string): never {
  throw new StripeRefusal(status, { type: "invalid_request_error", code });
}
