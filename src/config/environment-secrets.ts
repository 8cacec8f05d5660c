const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASS(?:WORD|WD|PHRASE)?|CREDENTIALS?)(?:$|_)/i;
const MIN_CHARS = 8;
/** Paths, switches and the like stand under such names too: `PASSWORD_STORE_DIR`, `SSH_KEY_PATH`. */
const NO_SECRET = /^(?:[./~]|[A-Za-z]:\\|true$|false$)/;

/** Values of environment variables whose names say that they are secret, so that no model carries them out. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) && value.length >= MIN_CHARS && !NO_SECRET.test(value) ? [value] : [],
  );
}
