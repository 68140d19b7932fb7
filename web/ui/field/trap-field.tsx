/**
 * A field that people never meet and programs fill in. It stands outside of the tab order and of
 * what is read aloud; whoever finds it all the same is told to leave it empty.
 */
export function TrapField({ id, label }: { id: string; label: string }) {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label htmlFor={id}>{label}</label>
      <input id={id} name="website" type="text" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
