import "./choice.css";

type ChoiceProps = {
  type: "radio" | "checkbox";
  id: string;
  name: string;
  value: string;
  label: string;
  hint?: string;
  /** The language of the label, if it differs from the page's. */
  lang?: string;
  defaultChecked?: boolean;
  checked?: boolean;
  onChange?: () => void;
  required?: boolean;
};

/** The browser holds the state, unless `checked` is given. */
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
