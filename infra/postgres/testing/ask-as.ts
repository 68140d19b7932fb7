import postgres from "postgres";

export type Login = { role: string; password: string; database?: string };

/**
 * Runs text on a connection of its own.
 * @param serverUrl as the administrator of the server
 */
export async function askAs(
  serverUrl: string,
  login: Login | "admin",
  text: string,
): Promise<postgres.Row[]> {
  const url = new URL(serverUrl);
  if (login !== "admin") {
    url.username = login.role;
    url.password = encodeURIComponent(login.password);
    url.pathname = `/${login.database ?? "pro_talent"}`;
  }
  const sql = postgres(url.toString(), { max: 1, onnotice: () => undefined });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end();
  }
}
