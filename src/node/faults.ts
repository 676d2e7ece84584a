/** Reports of faults in Serac that end something else than the process. They are logged and counted. */
export interface FaultReports {
  /** `where` names what the fault ended. */
  reportFault(error: unknown, where: string): void
}

export interface NodeFaults extends FaultReports {
  /** Called with a fault in Serac that stops the chain. */
  onFault(error: unknown): void
}
