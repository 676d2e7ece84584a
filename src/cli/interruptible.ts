import { SIGNALS } from "./untilStopped.js"

/**
 * Runs work that cleans up when it is interrupted. A signal that asks the process to stop interrupts it, and after it has ended, ends the
 * process as the signal would have.
 */
export async function interruptible<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let caught: NodeJS.Signals | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    caught = signal
    controller.abort()
  }
  for (const signal of SIGNALS) process.once(signal, onSignal)
  try {
    return await work(controller.signal)
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
    if (caught) process.kill(process.pid, caught)
  }
}
