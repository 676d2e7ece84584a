import { goQuote } from "../core/lib/goQuote.js"
import { refusals } from "../core/lib/invalid.js"

/** The most characters of a name or password; bytes for AvalancheGo. */
export const MAX_LENGTH = 1024

/** Why the keystore refuses. Data never holds a password, nor anything made from one. */
export const keystoreError = refusals({
  "keystore.empty_username": { says: "the username is empty", reference: "empty username" },
  "keystore.username_too_long": {
    says: `the username has more than ${MAX_LENGTH} characters`,
    reference: `username exceeds maximum length of ${MAX_LENGTH} chars`,
  },
  "keystore.user_exists": {
    says: "there is already a user of this name",
    reference: ({ username }) => `user already exists: ${username}`,
  },
  "keystore.unknown_user": {
    says: "there is no user of this name",
    reference: ({ username }) => `user doesn't exist: ${username}`,
  },
  "keystore.empty_password": { says: "the password is empty", reference: "empty password" },
  "keystore.password_too_long": {
    says: `the password has more than ${MAX_LENGTH} characters`,
    reference: `password exceeds maximum length of ${MAX_LENGTH} chars`,
  },
  "keystore.weak_password": {
    says: "the password is too easy to guess: take eight or more characters with upper and lower case, digits and symbols",
    reference: "password is too weak",
  },
  "keystore.wrong_password": {
    says: "the password is not this user's, or there is no such user",
    reference: ({ username }) => `incorrect password: user ${goQuote(String(username))}`,
  },
  "keystore.bad_export": { says: "the text is not an exported user", reference: ({ reference }) => String(reference) },
  "keystore.full": "the keystore has as many users, or as many bytes of them, as it may hold: delete one first",
  "keystore.busy": "too many passwords wait to be checked: try again later",
})
