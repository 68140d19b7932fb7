/** Of the installed pdfjs-dist (prerender/viewer.ts). */
declare const __PDFJS_VERSION__: string;
