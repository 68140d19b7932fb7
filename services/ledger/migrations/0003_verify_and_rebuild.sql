-- For the owner: is the chain whole, and do projections say what the events say? The service's role
-- may call none of this.

-- Checks the chain between two positions, together with the link to the event before p_from.
-- missing: no event at this position; prev: does not follow its predecessor; sealed: ciphertext
-- was exchanged; hash: a field was changed. One finding per changed row: a predecessor counts with
-- its stored or its computed hash, so that one changed row does not accuse the next.
create function ledger.verify(p_from bigint, p_to bigint)
returns table (bad_pos bigint, why text) language sql stable set search_path = ledger, pg_temp as $$
  with linked as materialized (
    select x.pos, x.prev, x.hash, x.sealed, x.sealed_hash, link(x.prev, x) as computed
      from event x where x.pos between p_from - 1 and p_to),
  pair as (
    select l.*, coalesce(lag(l.pos) over w, greatest(p_from - 2, 0)) as before,
           lag(l.hash) over w as hash_before, lag(l.computed) over w as computed_before
      from linked l window w as (order by l.pos))
  select p.before + 1, 'missing' from pair p where p.pos <> p.before + 1
  union all
  select p.pos, case when p.unlinked then 'prev' when p.unsealed then 'sealed' else 'hash' end
    from (select q.*,
            q.pos = q.before + 1 and case when q.pos = 1
              then q.prev <> decode(repeat('00', 32), 'hex')
              else q.prev not in (q.hash_before, q.computed_before) end as unlinked,
            q.sealed is not null and sha256(q.sealed) is distinct from q.sealed_hash as unsealed
            from pair q where q.pos >= p_from) p
   where p.unlinked or p.unsealed or p.hash <> p.computed
  order by 1, 2 $$;

-- Checks what points into the chain: the head names the last event, each stream its last version.
create function ledger.verify_ends()
returns table (bad_pos bigint, why text) language sql stable set search_path = ledger, pg_temp as $$
  select h.pos, 'head' from head h
    left join lateral (select * from event order by pos desc limit 1) last on true
   where h.pos <> coalesce(last.pos, 0) or h.epoch <> coalesce(last.epoch, 1)
      or h.hash <> coalesce(last.hash, decode(repeat('00', 32), 'hex'))
  union all
  select coalesce(e.last_pos, 0), 'stream' from stream s
    full join (select stream, max(version) as version, count(*) as events, max(pos) as last_pos
                 from event group by stream) e using (stream)
   where s.version is distinct from e.version or e.events is distinct from e.version
  order by 1, 2 $$;

-- Rows and digest of a table, in the order of its primary key; equal tables, equal digests.
create function ledger.digest(p_table text, p_key_of text default null)
returns table (row_count bigint, digest text) language plpgsql stable
set search_path = ledger, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set extra_float_digits = 1 as $$
declare keys text;
begin
  select string_agg(format('t.%I', a.attname), ', ' order by array_position(i.indkey::int2[], a.attnum)) into strict keys
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
   where i.indrelid = format('ledger.%I', coalesce(p_key_of, p_table))::regclass and i.indisprimary;
  return query execute format($q$
    select count(*), encode(sha256(coalesce(
      string_agg(sha256(convert_to(t::text, 'UTF8')), ''::bytea order by %s), ''::bytea)), 'hex')
      from ledger.%I t $q$, keys, p_table);
end $$;

-- Puts a rebuilt table (`<name>__shadow`) in the place of the live one: grants are copied, views
-- are bound to the new table, the old one is dropped. Run inside the rebuild's transaction.
create function ledger.swap_table(p_name text) returns void language plpgsql
set search_path = ledger, pg_temp as $$
declare
  live regclass := format('ledger.%I', p_name)::regclass;
  views text[]; v text; g record;
begin
  -- Views before their table, as readers take them: the other way round both could wait for ever.
  for v in select distinct c.oid::regclass::text
             from pg_depend d join pg_rewrite w on w.oid = d.objid join pg_class c on c.oid = w.ev_class
            where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
              and d.refobjid = live and c.relkind = 'v' order by 1 loop
    execute format('lock table %s in access exclusive mode', v);
  end loop;
  for g in select acl.grantee::regrole::text as grantee, acl.privilege_type
             from pg_class c, aclexplode(c.relacl) acl
            where c.oid = live and acl.grantee <> c.relowner loop
    execute format('grant %s on ledger.%I to %s', g.privilege_type, p_name || '__shadow', g.grantee);
  end loop;
  -- The definitions are read before the rename: they name the table as it is called now.
  select array_agg(distinct format('create or replace view %s %s as %s', c.oid::regclass,
           'with (' || array_to_string(c.reloptions, ', ') || ')', pg_get_viewdef(c.oid))) into views
    from pg_depend d join pg_rewrite w on w.oid = d.objid join pg_class c on c.oid = w.ev_class
   where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
     and d.refobjid = live and c.relkind = 'v';
  execute format('alter table ledger.%I rename to %I', p_name, p_name || '__old');
  execute format('alter table ledger.%I rename to %I', p_name || '__shadow', p_name);
  foreach v in array coalesce(views, '{}') loop execute v; end loop;
  execute format('drop table ledger.%I', p_name || '__old');
end $$;

revoke all on function ledger.verify, ledger.verify_ends, ledger.digest, ledger.swap_table from public;
