/**
 * What is done about a message of the outbox. It parses its payload, bears being called again for
 * the same message, and throws to be tried again.
 */
export type MessageHandler = (payload: unknown) => Promise<void>;

/** By `OutboxMessage.name`. */
export type MessageHandlers = Readonly<Record<string, MessageHandler>>;
