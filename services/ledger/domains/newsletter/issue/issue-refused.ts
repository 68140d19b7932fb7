/** An issue cannot be sent as it was written; the message says where, for whoever wrote it. */
export class IssueRefused extends Error {
  override readonly name = "IssueRefused";
}
