import { LOCAL_START_TIME } from "../../../src/core/genesis/local.js"
import { SECOND } from "../../../src/core/lib/go/goDuration.js"
import { type Upgrades, upTo } from "../../../src/core/networks/upgrades.js"

export const HOUR = 3_600n
export const DAY = 24n * HOUR

/** The start of the clock, Unix seconds: the local network's genesis, 2024-07-15T04:00:00Z. */
export const START = LOCAL_START_TIME

/** The activation times of Durango, which has payments, and of Granite, which has all other kinds. */
export const DURANGO = START + DAY
export const GRANITE = START + 2n * DAY

const { times, ...rest } = upTo("cortina")

/** The schedule starts with Cortina's rules, so that the chain has transactions of the kinds that later rules refuse. */
export const schedule: Upgrades = {
  ...rest,
  times: { ...times, durango: DURANGO, etna: GRANITE, fortuna: GRANITE, granite: GRANITE },
  graniteEpochDuration: 30n * SECOND,
}

/** The chain's time and the clock at the end, and the locktimes of the payment, in Unix seconds. */
export const END = START + 4n * DAY
export const UNLOCKED = END + 30n * DAY
