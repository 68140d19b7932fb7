import { AccessToken } from "@pro-talent/schemas/accounts/token-calls";

/** The access token that the example account makes. */
export const accessToken = "pt_Zk9fT3xQ1sVb7mYh2cLr8uWd4oPj6aNe0iXg5tKqSwE";

/** The calls about access tokens as journeys need them: what a person makes and revokes is remembered. */
export class TokenAnswers {
  held: AccessToken[] = [];

  listed() {
    return { status: 200, body: { tokens: this.held, tokensMax: 10 } };
  }

  changed(call: string, { body, path }: { body: Record<string, unknown>; path: string }) {
    if (!call.startsWith("POST")) {
      this.held = this.held.filter(({ tokenId }) => !path.endsWith(tokenId));
      return { status: 200, body: { status: "done" } };
    }
    const token = AccessToken.parse({
      tokenId: `7c9e6679-7425-40de-944b-e07fc1f9100${this.held.length}`,
      prefix: accessToken.slice(0, 8),
      createdAt: "2026-11-20T09:15:00.000Z",
      expiresAt: "2027-02-18T09:15:00.000Z",
      lastUsedOn: null,
      ...body,
    });
    this.held = [token, ...this.held];
    return { status: 201, body: { secret: accessToken, token } };
  }
}
