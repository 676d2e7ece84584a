import { clientError } from "./errors.js"

/**
 * Returns the address of a node without a slash at its end and without a path of its API, such as /ext/bc/P, which people copy with it.
 * Throws `client.bad_address`.
 */
export function nodeAddress(text: string): string {
  if (!/^https?:\/\/[^?#\s]+$/.test(text) || !URL.canParse(text)) {
    throw clientError("client.bad_address", { got: text, expected: "an address such as http://127.0.0.1:9650" })
  }
  return text.replace(/\/ext(\/.*)?$/, "").replace(/\/+$/, "")
}
