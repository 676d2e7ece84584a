import { refusals } from "../core/lib/invalid.js"

/** Errors of a client of a node: wrong options, and event streams that the node refused or ended. */
export const clientError = refusals({
  "node.bad_subscription": "the value of this option of a subscription does not have the required form",
  "node.stream_refused": "the node refused to send events",
  "node.stream_ended": "the node sends no more events, and does not answer when it is asked again",
})
