import { goQuote } from "../core/lib/go/goQuote.js"
import { refusals } from "../core/lib/invalid.js"

/** The maximum length of a name or password, in characters; in bytes for AvalancheGo. */
export const MAX_LENGTH = 1024

/** Refusals of the keystore. Their data never contains a password, nor anything derived from one. */
export const keystoreError = refusals({
  "keystore.empty_username": { sentence: "the username is empty", avalanchegoMessage: "empty username" },
  "keystore.username_too_long": {
    sentence: `the username has more than ${MAX_LENGTH} characters`,
    avalanchegoMessage: `username exceeds maximum length of ${MAX_LENGTH} chars`,
  },
  "keystore.user_exists": {
    sentence: "there is already a user of this name",
    avalanchegoMessage: ({ username }) => `user already exists: ${username}`,
  },
  "keystore.unknown_user": {
    sentence: "there is no user of this name",
    avalanchegoMessage: ({ username }) => `user doesn't exist: ${username}`,
  },
  "keystore.empty_password": { sentence: "the password is empty", avalanchegoMessage: "empty password" },
  "keystore.password_too_long": {
    sentence: `the password has more than ${MAX_LENGTH} characters`,
    avalanchegoMessage: `password exceeds maximum length of ${MAX_LENGTH} chars`,
  },
  "keystore.weak_password": {
    sentence: "the password is too easy to guess: take eight or more characters with upper and lower case, digits and symbols",
    avalanchegoMessage: "password is too weak",
  },
  "keystore.wrong_password": {
    sentence: "the password is not this user's, or there is no such user",
    avalanchegoMessage: ({ username }) => `incorrect password: user ${goQuote(String(username))}`,
  },
  "keystore.bad_export": "the text is not an exported user",
  "keystore.full": "the keystore has reached its limit of users or bytes: delete a user first",
  "keystore.busy": "too many passwords are waiting to be checked: try again later",
})
