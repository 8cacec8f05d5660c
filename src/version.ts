/** The package's version; a test holds it to package.json, so that no file is read at start. */
export const VERSION = "0.1.0";
