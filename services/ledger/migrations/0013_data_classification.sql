-- What each stored field is and why it is kept. A column comment is `<class>: <purpose>`, a table
-- comment is `<purpose>. Kept: <retention>`; infra/docs/data-assets.md is made from both.

comment on table ledger.event is 'Recorded decisions, which never change. Kept: for the life of the ledger; personal data is in `sealed` alone, which can be destroyed';
comment on column ledger.event.pos is 'operational: Position in the one sequence';
comment on column ledger.event.epoch is 'operational: Counts restored backups';
comment on column ledger.event.stream is 'pseudonym: Stream of the event; contains a pseudonym or an account id';
comment on column ledger.event.version is 'operational: Position in the stream';
comment on column ledger.event.event_id is 'operational: Identifies the event';
comment on column ledger.event.command_id is 'operational: Command that produced the event';
comment on column ledger.event.type is 'operational: What happened';
comment on column ledger.event.schema_version is 'operational: Version of the form of the data';
comment on column ledger.event.occurred_at is 'operational: When it happened, by the clock of the caller';
comment on column ledger.event.recorded_at is 'operational: When it was written, by the clock of the database';
comment on column ledger.event.meta is 'pseudonym: Ids of actor, cause and correlation';
comment on column ledger.event.data is 'content: The decision, free of personal data';
comment on column ledger.event.sealed is 'content: Personal data of the decision, encrypted under the key of its data subject';
comment on column ledger.event.key_id is 'operational: Key of the sealed part';
comment on column ledger.event.sealed_hash is 'operational: Proves the sealed part, also after its destruction';
comment on column ledger.event.prev is 'operational: Hash of the event before';
comment on column ledger.event.hash is 'operational: Hash of this event';

comment on table ledger.stream is 'Current version of each stream. Kept: for the life of the ledger';
comment on column ledger.stream.stream is 'pseudonym: Stream; contains a pseudonym or an account id';
comment on column ledger.stream.category is 'operational: Kind of stream';
comment on column ledger.stream.version is 'operational: Number of its last event';

comment on table ledger.head is 'End of the hash chain. Kept: one row, always';
comment on column ledger.head.one is 'operational: Limits the table to one row';
comment on column ledger.head.epoch is 'operational: Counts restored backups';
comment on column ledger.head.pos is 'operational: Last position';
comment on column ledger.head.hash is 'operational: Last hash';

comment on table ledger.command is 'Reply to each command, repeated byte for byte when the command comes again. Kept: for the life of the ledger';
comment on column ledger.command.command_id is 'operational: Identifies the command';
comment on column ledger.command.body_hash is 'operational: Distinguishes a repetition from another command with the same id';
comment on column ledger.command.first_pos is 'operational: First event of the command';
comment on column ledger.command.last_pos is 'operational: Last event of the command';
comment on column ledger.command.reply is 'content: The stored reply: ids, times and the decision';
comment on column ledger.command.at is 'operational: When it was answered';

comment on table ledger.due_timer is 'Timers; the database owns time. Kept: as long as the events that set them';
comment on column ledger.due_timer.stream is 'pseudonym: Stream of the timer; contains a pseudonym or an account id';
comment on column ledger.due_timer.name is 'operational: Which timer';
comment on column ledger.due_timer.due_at is 'operational: When it is due';
comment on column ledger.due_timer.fired_at is 'operational: When it fired';
comment on column ledger.due_timer.pos is 'operational: Event that set it';

comment on table ledger.outbox is 'Work that follows from events, until it is delivered. Kept: as long as the events that it follows from';
comment on column ledger.outbox.id is 'operational: Identifies the message';
comment on column ledger.outbox.pos is 'operational: Event that the message follows from';
comment on column ledger.outbox.name is 'operational: Kind of message';
comment on column ledger.outbox.payload is 'pseudonym: Ids only';
comment on column ledger.outbox.added_at is 'operational: When it was written';
comment on column ledger.outbox.turn is 'operational: Number of attempts';
comment on column ledger.outbox.due_at is 'operational: When the next attempt is due';
comment on column ledger.outbox.done_at is 'operational: When it was delivered';
comment on column ledger.outbox.given_up_at is 'operational: When it was given up';

comment on table ledger.checkpoint is 'How far each follower (a following read model, a process) has come. Kept: one row per follower';
comment on column ledger.checkpoint.follower is 'operational: Which read model or process';
comment on column ledger.checkpoint.epoch is 'operational: Epoch of the position';
comment on column ledger.checkpoint.pos is 'operational: Last position that was processed';

comment on table ledger.read_model is 'Read models that exist as tables. Kept: as long as the tables';
comment on column ledger.read_model.name is 'operational: Which read model';
comment on column ledger.read_model.mode is 'operational: Written with the append, or after it';
comment on column ledger.read_model.definition_hash is 'operational: Definition that the table was built from';

comment on table ledger.subject is 'Data subjects and the keys of their sealed data; without the row the data is unreadable. Kept: until erasure: an unconfirmed subscriber 30 days, a subscriber until the unsubscribe, others on request';
comment on column ledger.subject.subject_id is 'pseudonym: Identifies the data subject';
comment on column ledger.subject.kind is 'operational: Kind of data subject';
comment on column ledger.subject.lookup is 'pseudonym: Keyed hash of the address, to find the data subject by it';
comment on column ledger.subject.wrapped_key is 'pseudonym: Key of the data subject, encrypted under one that is not in the database';
comment on column ledger.subject.wrapping_key_id is 'operational: Key that encrypts the key';
comment on column ledger.subject.one_per_address is 'operational: Whether an address has one data subject of this kind';
comment on column ledger.subject.created_at is 'operational: When the row was made';

comment on table ledger.issue_content is 'Text of each newsletter issue, so that it cannot change after the release. Kept: as long as the issue';
comment on column ledger.issue_content.content_hash is 'operational: Proves the content';
comment on column ledger.issue_content.content is 'content: The issue in both languages, written by the operator';
comment on column ledger.issue_content.kept_at is 'operational: When it was stored';

comment on table ledger.issue_part is 'Parts of the delivery of an issue. Kept: as long as the issue';
comment on column ledger.issue_part.issue_id is 'operational: Which issue';
comment on column ledger.issue_part.part is 'operational: Which part';
comment on column ledger.issue_part.begun_at is 'operational: When it began';

comment on table ledger.issue_delivery is 'Status of each delivery, so that no subscriber receives an issue twice. Kept: as long as the issue';
comment on column ledger.issue_delivery.issue_id is 'operational: Which issue';
comment on column ledger.issue_delivery.subscriber_id is 'pseudonym: Identifies the subscriber; the address is sealed elsewhere';
comment on column ledger.issue_delivery.state is 'coarse: Waiting, sent, skipped or refused';
comment on column ledger.issue_delivery.tries is 'operational: Number of attempts that the mail server deferred';
comment on column ledger.issue_delivery.due_at is 'operational: When the next attempt is due';
comment on column ledger.issue_delivery.settled_at is 'operational: When its state became final';

comment on table ledger.migration is 'Applied migrations. Kept: for the life of the schema';
comment on column ledger.migration.name is 'operational: File of the migration';
comment on column ledger.migration.hash is 'operational: Proves that the file did not change';
comment on column ledger.migration.applied_at is 'operational: When it was applied';
