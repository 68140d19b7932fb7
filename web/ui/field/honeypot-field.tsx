/**
 * A field for programs: outside the tab order and hidden from screen readers. Its label asks
 * visitors who find it to leave it empty.
 */
export function HoneypotField({ id, label }: { id: string; label: string }) {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label htmlFor={id}>{label}</label>
      <input id={id} name="website" type="text" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
