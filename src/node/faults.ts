import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"

/** Reports of faults in Serac that end something else than the process. They are logged and counted. */
export interface FaultReports {
  /** `where` names what the fault ended. */
  reportFault(error: unknown, where: string): void
}

/** The calls of a chain to its node. */
export interface NodeHooks extends FaultReports {
  /** Called with a fault in Serac that stops the chain. */
  onFault(error: unknown): void
  /** Called after every change of the state, in order. */
  stateChanged(event: AcceptedEvent): void
}
