/** Waits for SIGINT or SIGTERM, or for a fault that ends the work; a second signal ends the process at once. */
export function untilStopped(failed: Promise<never>): Promise<string> {
  const signalled = new Promise<string>((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      process.once(signal, () => process.exit(130))
      resolve(signal)
    }
    process.once("SIGINT", onSignal)
    process.once("SIGTERM", onSignal)
  })
  return Promise.race([signalled, failed])
}
