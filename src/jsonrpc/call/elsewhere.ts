/**
 * Thrown by the context of a method in a process that lacks something which the method needs, such as the mempool. The call is then
 * forwarded to the process that has it.
 */
export class Elsewhere extends Error {
  override readonly name = "Elsewhere"
}

/** Throws `Elsewhere`. The error names `what` if the call cannot be forwarded. */
export function elsewhere(what: string): never {
  throw new Elsewhere(`this process has no ${what}`)
}
