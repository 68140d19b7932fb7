-- Appends that wait at the same time share one statement, hence one lock of the head and one commit.
-- Programs of earlier versions cannot append any more: the function they call is gone.

drop function ledger.append;

-- Appends to streams, one request after another, each as if it came alone: a refused one changes nothing
-- for the others. An error takes all of them back; the caller then sends them singly.
-- p_requests: [{"command": uuid, "body": hex, "stream", "expected", "events", "reply", "changes", "process"}...].
-- expected: n >= 0 that version exactly (0 also for a stream that does not exist), -1 the stream
-- must not exist, -2 it must exist, -3 any.
-- events: [{"id", "type", "sv", "at"?, "meta": text, "data": text, "sealed"? base64, "key_id"?}...].
-- changes: for write_rows; a row's pos is its event's place in events, from 0.
-- process: {"name", "epoch", "pos", "to_epoch", "to_pos"} moves the checkpoint of the process that
-- issued the command, also when the command was carried out before; null for other commands.
-- One row for each request, in their order. outcome: appended | replayed (answer as stored)
-- | mismatch (same command id, other body) | conflict (version as it is) | superseded (another
-- instance of the process was faster).
create function ledger.append(p_requests jsonb)
returns table (outcome text, first_position bigint, last_position bigint, new_version int, answer text)
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare
  h head; q record; c command; r event; e record; v int; t timestamptz(3); replayed boolean;
  appended event[] := '{}';
begin
  select * into h from head for update;
  for q in select * from jsonb_to_recordset(p_requests) as x(command uuid, body text, stream text,
             expected int, events jsonb, reply text, changes jsonb, process jsonb) loop
    if jsonb_array_length(q.events) = 0 then raise exception 'An append needs at least one event'; end if;
    outcome := null; first_position := null; last_position := null; new_version := null; answer := null;
    select * into c from command where command_id = q.command;
    replayed := found;
    select s.version into v from stream s where s.stream = q.stream;
    if replayed and c.body_hash <> decode(q.body, 'hex') then
      outcome := 'mismatch';
    elsif not replayed and ((q.expected = -1 and v is not null) or (q.expected = -2 and v is null)
        or (q.expected >= 0 and coalesce(v, 0) <> q.expected)) then
      outcome := 'conflict'; new_version := coalesce(v, 0);
    elsif q.process is not null and not move_checkpoint(q.process->>'name', (q.process->>'epoch')::int,
        (q.process->>'pos')::bigint, (q.process->>'to_epoch')::int, (q.process->>'to_pos')::bigint) then
      outcome := 'superseded';
    elsif replayed then
      outcome := 'replayed'; first_position := c.first_pos; last_position := c.last_pos; answer := c.reply;
    else
      v := coalesce(v, 0); t := clock_timestamp(); first_position := h.pos + 1;
      for e in select * from jsonb_to_recordset(q.events) as x(id uuid, type text, sv int,
                 at timestamptz(3), meta text, data text, sealed text, key_id uuid) loop
        v := v + 1; h.pos := h.pos + 1;
        r := row(h.pos, h.epoch, q.stream, v, e.id, q.command, e.type, e.sv, coalesce(e.at, t), t, e.meta, e.data,
          decode(e.sealed, 'base64'), e.key_id, sha256(decode(e.sealed, 'base64')), h.hash, ''::bytea)::event;
        r.hash := event_hash(h.hash, r); h.hash := r.hash;
        appended := appended || r;
      end loop;
      insert into stream (stream, version) values (q.stream, v)
        on conflict on constraint stream_pkey do update set version = excluded.version;
      insert into command values (q.command, decode(q.body, 'hex'), first_position, h.pos, q.reply, t);
      perform write_rows(q.changes, first_position);
      outcome := 'appended'; last_position := h.pos; new_version := v; answer := q.reply;
    end if;
    return next;
  end loop;
  if cardinality(appended) > 0 then
    insert into event select * from unnest(appended);
    update head set pos = h.pos, hash = h.hash;
  end if;
end $$;

revoke all on function ledger.append from public;
grant execute on function ledger.append to ledger_app;
