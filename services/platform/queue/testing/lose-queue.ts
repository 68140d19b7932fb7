/** Empties the queues of a database, under running workers: a deadlock with one of them is tried again. */
export async function losePostgresQueue(owner: {
  unsafe: (statement: string) => PromiseLike<unknown>;
}): Promise<void> {
  await owner.unsafe(`do $$ declare lost text; begin
    select string_agg(format('bullmq.%I', relname), ', ') into lost from pg_class
     where relnamespace = 'bullmq'::regnamespace and relkind in ('r', 'p')
       and relname <> 'migration' and not relispartition;
    loop
      begin
        execute 'truncate ' || lost || ' cascade';
        exit;
      exception when deadlock_detected then null;
      end;
    end loop;
  end $$`);
}
