/** What somebody enters in the form, unless changed. */
export function entered(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: "Noa Levi",
    email: "noa.levi@example.com",
    subject: "bug",
    subjectCategory: "bug",
    message: "The download button does nothing in my browser.",
    sessionId: null,
    ...change,
  };
}
