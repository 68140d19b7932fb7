/** The part of subset-font (HarfBuzz in WebAssembly) in use; the package has no types. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: "woff2";
      variationAxes?: Readonly<Record<string, number | { min: number; max: number }>>;
      noHinting?: boolean;
    },
  ): Promise<Buffer>;
}
