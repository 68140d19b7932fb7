-- Rows are taken away by functions that do not name the table's row type. A rebuild puts another table
-- in the place of the live one, with another row type, and a statement that reads a recordset of the
-- old type and no table is not planned anew for that: whoever had removed a row on a connection could
-- not remove another one there after a rebuild. (Writing rows names the table, so it is planned anew.)

-- As in 0009, but for the columns of a removal: the keys, by their own types.
create or replace function ledger.register_table(p_name text, p_mode text, p_projection text default null)
returns void language plpgsql set search_path = ledger, pg_temp as $$
declare
  columns text[]; keys text[]; others text; put text; gone text; keyed text; typed text;
begin
  select array_agg(attname::text order by attnum) into columns from pg_attribute
   where attrelid = format('ledger.%I', p_name)::regclass and attnum > 0 and not attisdropped
     and attidentity = '' and attgenerated = '' and not atthasdef;
  select array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum)) into keys
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
   where i.indrelid = format('ledger.%I', p_name)::regclass and i.indisprimary;
  if not 'pos' = any (columns) then raise exception 'Table % has no column pos', p_name; end if;
  put := format('insert into ledger.%%1$I (%s) select %s from jsonb_populate_recordset(null::ledger.%I, $1) r',
    (select string_agg(quote_ident(c), ', ') from unnest(columns) c),
    (select string_agg(case c when 'pos' then 'r.pos + $2' else 'r.' || quote_ident(c) end, ', ') from unnest(columns) c),
    p_name);
  if keys <@ columns then
    select string_agg(format('%1$I = excluded.%1$I', c), ', ') into others
      from unnest(columns) c where c <> all (keys);
    put := put || format(' on conflict (%s) do update set %s',
      (select string_agg(quote_ident(k), ', ') from unnest(keys) k), others);
    select string_agg(format('t.%1$I = r.%1$I', k), ' and ') into keyed from unnest(keys) k;
    gone := format('delete from ledger.%%1$I t using jsonb_populate_recordset(null::ledger.%I, $1) r where %s', p_name, keyed);
  end if;
  insert into written_table values (p_name, p_projection, p_mode, put, gone)
    on conflict (name) do update set projection = excluded.projection, mode = excluded.mode,
      put_sql = excluded.put_sql, gone_sql = excluded.gone_sql;
  -- In a function $1 and $2 are its arguments, so its statement is the very same text.
  execute format('create or replace function ledger.%I(jsonb, bigint) returns void language plpgsql as %L',
    'put_' || p_name, format('begin %s; end', format(put, p_name)));
  execute format('revoke all on function ledger.%I from public', 'put_' || p_name);
  if gone is not null then
    -- Key by key: each is found by the primary key, however many the planner expects.
    select string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ') into typed
      from pg_attribute where attrelid = format('ledger.%I', p_name)::regclass and attname = any (keys);
    execute format('create or replace function ledger.%I(jsonb) returns void language plpgsql as %L',
      'remove_' || p_name, format('declare r record; begin
        for r in select * from jsonb_to_recordset($1) as k(%3$s) loop
          delete from ledger.%1$I t where %2$s;
        end loop; end', p_name, keyed, typed));
    execute format('revoke all on function ledger.%I from public', 'remove_' || p_name);
  end if;
  if p_mode = 'async' then
    insert into checkpoint values (p_projection, 1, 0) on conflict do nothing;
  end if;
end $$;

do $$ declare t record; begin
  for t in select name, mode, projection from ledger.written_table loop
    perform ledger.register_table(t.name, t.mode, t.projection);
  end loop;
end $$;
