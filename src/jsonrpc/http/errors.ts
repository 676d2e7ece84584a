import { refusals } from "../../core/lib/invalid.js"

/** What is wrong with how a server shall listen. */
export const httpError = refusals({
  "http.bad_proxy": "a trusted proxy is named by an IP address, or by a range such as 10.0.0.0/8",
})
