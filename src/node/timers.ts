import type { Timers } from "../producer/ports.js"

/** The longest timer of this machine, milliseconds: about 24 days. */
const LONGEST = 2 ** 31 - 1

/** The timers of this process. They do not keep it alive. */
export const systemTimers: Timers = {
  after(milliseconds, callback) {
    let timer: NodeJS.Timeout
    const wait = (rest: number) => {
      timer = setTimeout(() => (rest > LONGEST ? wait(rest - LONGEST) : callback()), Math.min(rest, LONGEST))
      timer.unref()
    }
    wait(Math.max(0, milliseconds))
    return () => clearTimeout(timer)
  },
  soon: (callback) => void setImmediate(callback),
}
