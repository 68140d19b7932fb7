-- The state of a stream after some of its events, so that a long stream is read as fast as a short
-- one. Written with the append that it follows from; deleting rows loses nothing but time.
create table ledger.snapshot (
  stream     text   primary key references ledger.stream,
  definition text   not null check (definition ~ '^[0-9a-f]{64}$'),
  version    int    not null check (version > 0),
  state      jsonb  not null,
  pos        bigint not null
);
grant select on ledger.snapshot to ledger_app;

comment on table ledger.snapshot is 'States of long streams. Kept: as long as the stream; replaced by later ones';
comment on column ledger.snapshot.stream is 'pseudonym: Stream; contains a pseudonym or an account id';
comment on column ledger.snapshot.definition is 'operational: Form and rules of the state';
comment on column ledger.snapshot.version is 'operational: Last event of the stream that the state follows from';
comment on column ledger.snapshot.state is 'content: What the events lead to, free of personal data';
comment on column ledger.snapshot.pos is 'operational: Event that wrote the row';

create function ledger.upsert_snapshot(jsonb, bigint) returns void language plpgsql as $$ begin
  insert into ledger.snapshot (stream, definition, version, state, pos)
    select r.stream, r.definition, r.version, r.state, r.pos + $2
      from jsonb_to_recordset($1) as r(stream text, definition text, version int, state jsonb, pos bigint)
    on conflict (stream) do update set definition = excluded.definition, version = excluded.version,
      state = excluded.state, pos = excluded.pos;
end $$;
revoke all on function ledger.upsert_snapshot from public;

-- As in 0011, with snapshots.
create or replace function ledger.write_rows(p_changes jsonb, p_base bigint, p_model text default null, p_suffix text default '')
returns void language plpgsql set search_path = ledger, pg_temp as $$
declare c jsonb; t text;
begin
  for c in select * from jsonb_array_elements(p_changes) loop
    t := c->>'table';
    if (p_model is null and t not in ('outbox', 'due_timer', 'snapshot')
          and not exists (select from read_model m where m.name = t and m.mode = 'inline'))
       or t <> p_model or c - '{table,upsert,delete}'::text[] <> '{}' then
      raise exception 'These rows may not be written: %', t;
    end if;
    if c ? 'delete' then execute format('select ledger.%I($1)', 'delete_' || t || p_suffix) using c->'delete'; end if;
    if c ? 'upsert' then execute format('select ledger.%I($1, $2)', 'upsert_' || t || p_suffix) using c->'upsert', p_base; end if;
  end loop;
end $$;

-- The newest sealed part of a stream is found without reading the events after it.
create index on ledger.event (stream, type, version) where key_id is not null;
