/**
 * Thrown by the context of a method in a process that lacks something which the method needs, such as the mempool. The call is then
 * forwarded to the process that has it.
 */
export class NotInThisProcess extends Error {
  override readonly name = "NotInThisProcess"
}

/** Throws `NotInThisProcess`. The error names `what` if the call cannot be forwarded. */
export function needsOtherProcess(what: string): never {
  throw new NotInThisProcess(`this process has no ${what}`)
}
