import { refusals } from "../../core/lib/invalid.js"

/** Errors of the options of the HTTP server. */
export const httpError = refusals({
  "http.bad_proxy": "a trusted proxy is named by an IP address, or by a range such as 10.0.0.0/8",
})
