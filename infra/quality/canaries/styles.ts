/** A style sheet that breaks one rule; the key is the rule's name. */
export const styleCanaries: Record<string, string> = {
  "csstools/use-logical": "a { margin-left: 1px; }",
  "block-no-empty": "a { }",
  "color-named": "a { color: red; }",
  "color-no-invalid-hex": "a { color: #12; }",
  "custom-property-no-missing-var-function": ":root { --ink: #000; } a { color: --ink; }",
  "custom-property-pattern": ":root { --inkColour: #000; }",
  "declaration-block-no-duplicate-custom-properties": "a { --ink: #000; --ink: #111; }",
  "declaration-block-no-duplicate-properties": "a { color: #000; opacity: 1; color: #111; }",
  "declaration-block-no-shorthand-property-overrides":
    "a { border-block-start-color: #000; border-block-start: 1px solid; }",
  "declaration-no-important": "a { color: #000 !important; }",
  "declaration-property-value-disallowed-list": "a { margin: 1px 2px 3px 4px; }",
  "declaration-property-value-no-unknown": "a { display: blok; }",
  "function-no-unknown": "a { color: colour(1); }",
  "keyframe-declaration-no-important": "@keyframes grow { from { opacity: 0 !important; } }",
  "media-feature-name-no-unknown": "@media (inline-sise > 1px) { a { color: #000; } }",
  "media-query-no-invalid": "@media (width => 1px) { a { color: #000; } }",
  "no-duplicate-selectors": "a { color: #000; } a { opacity: 1; }",
  "no-empty-source": "",
  "no-invalid-double-slash-comments": "// a note\na { color: #000; }",
  "property-disallowed-list": "a { direction: rtl; }",
  "property-no-unknown": "a { colour: #000; }",
  "property-no-vendor-prefix": "a { -webkit-transform: none; }",
  "selector-class-pattern": ".camelCase { color: #000; }",
  "selector-max-id": "#a { color: #000; }",
  "selector-pseudo-class-no-unknown": "a:hovered { color: #000; }",
  "selector-pseudo-element-no-unknown": "a::befor { color: #000; }",
  "selector-type-no-unknown": "anker { color: #000; }",
  "unit-no-unknown": "a { line-height: 1pix; }",
};

/** Physical ways to place things, each of which must be refused. */
export const physicalStyles: string[] = [
  "a { left: 0; }",
  "a { padding-right: 1px; }",
  "a { border-top-left-radius: 1px; }",
  "a { inline-size: 1px; width: 1px; }",
  "a { text-align: right; }",
  "a { float: left; }",
  "a { margin: 0 1px 0 2px; }",
];

/** Modern CSS that the rules must leave alone. */
export const allowedStyles = `
.card { inset-inline: 0; margin-inline-start: 1px; color: light-dark(oklch(0.5 0.1 20), #fff); text-wrap: pretty; }
.card { & > a:hover { color: color-mix(in oklch, var(--ink), transparent 10%); } }
@view-transition { navigation: auto; }
@property --turn { syntax: '<angle>'; inherits: false; initial-value: 0deg; }
@media (prefers-reduced-motion: reduce) { .card--open { transition: none; } }
@layer base { .card__title { font-size: clamp(1rem, 1cqi + 1rem, 2rem); block-size: auto; } }
`.replace(".card { & > a", ".panel { & > a");
