import { LOCAL_START_TIME } from "../../../src/core/genesis/local.js"
import { SECOND } from "../../../src/core/lib/go/goDuration.js"
import { type Upgrades, upTo } from "../../../src/core/networks/upgrades.js"

export const HOUR = 3_600n
export const DAY = 24n * HOUR

/** When the clock starts, Unix seconds: with the local network's genesis, 2024-07-15T04:00:00Z. */
export const START = LOCAL_START_TIME

/** Since then payments are known, and since then everything else. */
export const DURANGO = START + DAY
export const GRANITE = START + 2n * DAY

const { times, ...rest } = upTo("cortina")

/** Cortina's rules at first: the chain has something of each kind that later rules no longer take. */
export const schedule: Upgrades = {
  ...rest,
  times: { ...times, durango: DURANGO, etna: GRANITE, fortuna: GRANITE, granite: GRANITE },
  graniteEpochDuration: 30n * SECOND,
}

/** The chain's time and the clock at the end, and the locktimes of the payment, in Unix seconds. */
export const END = START + 4n * DAY
export const UNLOCKED = END + 30n * DAY
