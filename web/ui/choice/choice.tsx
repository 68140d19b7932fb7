import "./choice.css";

type ChoiceProps = {
  /** Radios of one name exclude each other; of checkboxes any number is chosen. */
  type: "radio" | "checkbox";
  id: string;
  name: string;
  value: string;
  label: string;
  hint?: string;
  /** The language of a label that is not in that of the page. */
  lang?: string;
  defaultChecked?: boolean;
  required?: boolean;
};

/** One of several answers. The browser keeps what is chosen until somebody asks the form. */
export function Choice({ type, id, label, hint, lang, ...control }: ChoiceProps) {
  return (
    <div className="choice">
      <input
        className={`choice__box choice__box--${type}`}
        type={type}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...control}
      />
      <label className="choice__label" htmlFor={id} lang={lang}>
        {label}
      </label>
      {hint !== undefined && (
        <div className="choice__hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  );
}
