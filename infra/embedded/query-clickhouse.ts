export type ClickhouseQuestion = {
  /** With user and password. */
  url: string;
  database: string;
  statement: string;
  /** Used unless the statement names a format itself. */
  format: string;
  /** Gets the answer piece by piece, each once it has taken the one before. */
  write: (chunk: Uint8Array) => Promise<void>;
};

/**
 * Runs one statement over ClickHouse's HTTP interface.
 * @returns ClickHouse's own message when it refuses or breaks off, or why it cannot be reached
 */
export async function askClickhouse(
  question: ClickhouseQuestion,
): Promise<"done" | { message: string }> {
  const address = new URL(question.url);
  const credentials = `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`;
  address.username = "";
  address.password = "";
  address.searchParams.set("database", question.database);
  address.searchParams.set("default_format", question.format);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
      body: question.statement,
    });
    if (!response.ok) return { message: (await response.text()).trim() };
    // An error in the middle of an answer breaks the connection, which is caught below.
    const pieces: AsyncIterable<Uint8Array> | null = response.body;
    if (pieces !== null) for await (const piece of pieces) await question.write(piece);
    return "done";
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? cause.message : String(cause);
    return {
      message: `ClickHouse does not answer (${why}). Is it running? Start it with: npm start`,
    };
  }
}
