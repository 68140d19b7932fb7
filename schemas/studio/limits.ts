/** Bounds of a CV, shared by browser and server. Characters are UTF-16 units. */
export const cvLimits = {
  lineCharsMax: 200,
  urlCharsMax: 500,
  richCharsMax: 2_000,
  runsMax: 200,
  sectionsMax: 24,
  entriesMax: 60,
  bulletsMax: 30,
  skillsMax: 60,
  profileLinksMax: 8,
  /** Of a whole document as JSON: about twenty pages. */
  documentCharsMax: 250_000,
  /** Of an account, archived ones included. */
  cvsMax: 50,
  importBytesMax: 5 * 1024 * 1024,
  photoBytesMax: 5 * 1024 * 1024,
  /** Of a CV. */
  photosMax: 20,
  yearMin: 1900,
  yearMax: 2100,
} as const;

/** Which versions of a CV are kept beside its named ones: the last ones, and of older days the last one of each. */
export const versionsKept = { last: 200, days: 90 } as const;

/** Bounds of a portfolio, beside those of a CV. */
export const portfolioLimits = {
  /** Of one project. */
  picturesMax: 12,
  /** Stored for an account, shown or not. */
  storedPicturesMax: 80,
  pictureBytesMax: 8 * 1024 * 1024,
  altCharsMax: 300,
  captionCharsMax: 200,
  passwordCharsMin: 4,
  passwordCharsMax: 128,
  /** Versions of each language that are kept, beside the published one. */
  versionsKept: 50,
} as const;
