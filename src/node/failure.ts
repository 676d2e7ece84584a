/** A promise that a node rejects when it fails after its start, and the function that rejects it. */
export interface Failure {
  readonly failed: Promise<never>
  fail(error: unknown): void
}

/** Makes the promise of a node's failure. A failure that is not awaited yet is not an unhandled rejection. */
export function failure(): Failure {
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  return { failed, fail }
}

/** Reports of faults in Serac that end something else than the process. They are logged and counted. */
export interface FaultReports {
  /** `where` names what the fault ended. */
  reportFault(error: unknown, where: string): void
}

export interface NodeFaults extends FaultReports {
  /** Called with a fault in Serac that stops the chain. */
  onFault(error: unknown): void
}
