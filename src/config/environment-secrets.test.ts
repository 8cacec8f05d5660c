import { expect, it } from "vitest";
import { environmentSecrets } from "./environment-secrets.js";

it("values are secret by their variable's name, unless they are a path, a switch or short", () => {
  const env = {
    DATABASE_PASSWORD: "correct-horse-battery",
    API_TOKEN: "abcdefgh1234",
    MY_SECRET_KEY: "zyxwvuts9876",
    PASSWORD_STORE_DIR: "/home/a/.password-store",
    USE_TOKEN: "true",
    SHORT_KEY: "abc",
    KEYBOARD: "qwertz-layout",
    PATH: "/usr/bin",
  };
  expect(environmentSecrets(env)).toEqual(["correct-horse-battery", "abcdefgh1234", "zyxwvuts9876"]);
});
