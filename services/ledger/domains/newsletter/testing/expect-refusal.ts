import { expect } from "vitest";

/** Problem details with this code, and a text for the visitor. */
export async function expectRefusal(
  response: { statusCode: number; json: () => unknown },
  status: number,
  code: string,
): Promise<void> {
  expect(response.json()).toMatchObject({ code, error: expect.stringMatching(/\w|[א-ת]/) });
  expect(response.statusCode).toBe(status);
}
