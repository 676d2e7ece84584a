import { ceilSeconds, SECOND } from "../lib/go/goDuration.js"
import { parseRfc3339 } from "../lib/go/rfc3339.js"
import { printRfc3339Nano } from "../lib/go/rfc3339Nano.js"
import { type Invalid, valueOrThrow } from "../lib/invalid.js"
import type { Json } from "../lib/json.js"
import { MAX64 } from "../lib/math64.js"
import { parseJson } from "../lib/parseJson.js"
import { EMPTY_ID, type ID, idText, parseID } from "../types/id.js"
import { networkError } from "./errors.js"
import { exactTimeOf, type UpgradeName, type Upgrades, type UpgradeTimes, upgradeNames, YEAR_1 } from "./upgrades.js"

const HEIGHT = "apricotPhase4MinPChainHeight"
const VERTEX = "cortinaXChainStopVertexID"
const EPOCH = "graniteEpochDuration"

const timeKey = (name: UpgradeName) => `${name}Time`

/** Every key of the file by its lowercase form, because Go's reader ignores case. */
const keys: ReadonlyMap<string, string> = new Map(
  [...upgradeNames.map(timeKey), HEIGHT, VERTEX, EPOCH].map((key) => [key.toLowerCase(), key]),
)

/**
 * Reads an upgrade file (`--upgrade-file`) as Go's JSON reader does: unknown keys are ignored, the last of duplicate keys counts, null and
 * missing values are zero (a time: year 1, active from the beginning). Times must not decrease.
 */
export function parseUpgradeFile(text: string): Upgrades {
  const fields = fieldsOf(text)
  const nanoseconds = upgradeNames.map((name) => readTime(timeKey(name), fields[timeKey(name)]))
  for (const [index, time] of nanoseconds.entries()) {
    const before = nanoseconds[index - 1]
    if (before !== undefined && time < before) throw decreaseAt(index, before, time)
  }
  const times = nanoseconds.map((time) => ceilSeconds(time))
  const roundings = nanoseconds.map((time, index) => (times[index] as bigint) * SECOND - time)
  const byName = (values: readonly bigint[]) => upgradeNames.map((name, index) => [name, values[index] as bigint] as const)
  const fractions = byName(roundings).filter(([, rounding]) => rounding > 0n)
  return {
    times: Object.fromEntries(byName(times)) as UpgradeTimes,
    ...(fractions.length > 0 && { roundedUpBy: Object.fromEntries(fractions) }),
    apricotPhase4MinPChainHeight: readInteger(HEIGHT, fields[HEIGHT], 0n, MAX64),
    cortinaXChainStopVertexID: readVertex(fields[VERTEX]),
    graniteEpochDuration: readInteger(EPOCH, fields[EPOCH], -(1n << 63n), (1n << 63n) - 1n),
  }
}

/** Prints the schedule as `info.upgrades` and an upgrade file have it. */
export function upgradesJson(upgrades: Upgrades): { readonly [key: string]: Json } {
  const out: Record<string, Json> = {}
  for (const name of upgradeNames) {
    out[timeKey(name)] = printRfc3339Nano(exactTimeOf(upgrades, name))
    if (name === "apricotPhase4") out[HEIGHT] = upgrades.apricotPhase4MinPChainHeight
    if (name === "cortina") out[VERTEX] = idText(upgrades.cortinaXChainStopVertexID)
    if (name === "granite") out[EPOCH] = upgrades.graniteEpochDuration
  }
  return out
}

/** Returns the file's known fields by their declared names. */
function fieldsOf(text: string): { readonly [field: string]: Json } {
  const put = (fields: Record<string, Json>, key: string, value: Json) => {
    const field = keys.get(key.toLowerCase())
    if (field !== undefined && value !== null) fields[field] = value
  }
  const json = valueOrThrow(
    () => parseJson(text, { put, number: readDigits }),
    ({ sentence, data }) => networkError("network.upgrade_file_malformed", { reason: sentence, ...data }),
  )
  if (json === null) return {}
  if (typeof json === "object" && !Array.isArray(json)) return json as { readonly [field: string]: Json }
  throw networkError("network.upgrade_file_malformed", { reason: "it holds another value" })
}

/** Reads plain digits as bigints, which distinguishes integers from 1.0 and 1e3. */
function readDigits(text: string): Json {
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text)
}

function readTime(field: string, value: Json | undefined): bigint {
  if (value === undefined) return YEAR_1 * SECOND
  if (typeof value !== "string") throw wrongField(field, value, "not a string")
  const time = parseRfc3339(value)
  if (time === undefined) throw wrongField(field, value, "not an RFC 3339 time such as 2025-11-19T16:00:00Z")
  return time
}

function readInteger(field: string, value: Json | undefined, low: bigint, high: bigint): bigint {
  if (value === undefined) return 0n
  if (typeof value !== "bigint") throw wrongField(field, value, "not an integer written in plain digits")
  if (value < low || value > high) throw wrongField(field, value, "does not fit in 64 bits")
  return value
}

function readVertex(value: Json | undefined): ID {
  if (value === undefined) return EMPTY_ID
  if (typeof value !== "string") throw wrongField(VERTEX, value, "not a string")
  return valueOrThrow(
    () => parseID(value),
    ({ sentence }) => wrongField(VERTEX, value, sentence),
  )
}

function wrongField(field: string, value: Json, reason: string): Invalid {
  return networkError("network.upgrade_file_field", { field, value, reason })
}

function decreaseAt(index: number, before: bigint, time: bigint): Invalid {
  return networkError("network.upgrade_times_decrease", {
    field: timeKey(upgradeNames[index] as UpgradeName),
    time: printRfc3339Nano(time),
    previousField: timeKey(upgradeNames[index - 1] as UpgradeName),
    previousTime: printRfc3339Nano(before),
    reason: "earlier than the upgrade before it",
  })
}
