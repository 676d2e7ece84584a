import { BOUND_FORMS, type ChainBound, readBound } from "../../core/lib/chainBound.js"
import { parseGoDuration } from "../../core/lib/go/goDuration.js"
import { parseRfc3339 } from "../../core/lib/go/rfc3339.js"
import { Invalid, valueOrUndefined } from "../../core/lib/invalid.js"
import type { Json } from "../../core/lib/json.js"
import { type LogLevel, logLevels, parseLogLevel } from "../../core/lib/log.js"
import { MAX64 } from "../../core/lib/math64.js"
import { networkIDOf } from "../../core/networks/names.js"
import { parseAmount } from "../units.js"
import type { FlagType } from "./flags.js"

/** On or off. Alone on the command line it is on. */
export const onOff: FlagType<boolean> = {
  expects: "true or false",
  read(given) {
    if (typeof given === "boolean") return given
    if (given === "true" || given === "1") return true
    return given === "false" || given === "0" ? false : undefined
  },
}

/** Any text. */
export const text: FlagType<string> = {
  value: "TEXT",
  expects: "a text",
  read: (given) => (typeof given === "string" ? given : typeof given === "number" ? String(given) : undefined),
}

/** The path of a file or folder. `$NAME` and `${NAME}` are replaced by environment variables, as in AvalancheGo. */
export const path = (value: string): FlagType<string> => ({
  value,
  expects: "a path",
  read(given, env) {
    if (typeof given !== "string" || given === "") return undefined
    return given.replace(/\$(?:(\w+)|\{(\w+)\})/g, (_, bare?: string, braced?: string) => env[bare ?? braced ?? ""] ?? "")
  },
})

/** One of a few words. */
export const oneOfWords = <const T extends string>(...words: readonly T[]): FlagType<T> => ({
  value: words.join("|"),
  expects: `one of ${words.join(", ")}`,
  read: (given) => words.find((word) => word === given),
})

/** A whole number in these bounds. */
export const integerFlag = (least: number, most: number): FlagType<number> => ({
  value: "N",
  expects: `an integer from ${least} to ${most}`,
  read(given) {
    const value = typeof given === "string" && /^-?\d{1,15}$/.test(given) ? Number(given) : given
    return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most ? value : undefined
  },
})

/** A number in these bounds, which may have a fraction. */
export const decimal = (least: number, most: number): FlagType<number> => ({
  value: "X",
  expects: `a number from ${least} to ${most}`,
  read(given) {
    const value = typeof given === "string" && /^\d{1,15}(\.\d{1,15})?$|^\.\d{1,15}$/.test(given) ? Number(given) : given
    return typeof value === "number" && value >= least && value <= most ? value : undefined
  },
})

/** A network by its name or number. */
export const network: FlagType<number> = {
  value: "NAME|N",
  expects: "mainnet, fuji, local, or a number below 2^32",
  read(given) {
    try {
      return typeof given === "string" || typeof given === "number" ? networkIDOf(String(given)) : undefined
    } catch (error) {
      if (error instanceof Invalid) return undefined
      throw error
    }
  },
}

/** A time in Unix seconds, given in seconds or as RFC 3339. A fraction is dropped. */
export const timeFlag: FlagType<bigint> = {
  value: "TIME",
  expects: "Unix seconds such as 1721016000, or RFC 3339 such as 2024-07-15T04:00:00Z",
  read(given: Json) {
    if (typeof given === "number" && Number.isSafeInteger(given) && given >= 0) return BigInt(given)
    if (typeof given !== "string") return undefined
    if (/^\d{1,12}$/.test(given)) return BigInt(given)
    const nanoseconds = parseRfc3339(given)
    return nanoseconds === undefined || nanoseconds < 0n ? undefined : nanoseconds / 1_000_000_000n
  },
}

/** The first or the last block of a part of the chain. */
export const boundFlag = (side: "from" | "to"): FlagType<ChainBound> => ({
  value: "H|TIME",
  expects: BOUND_FORMS,
  read: (given) => readBound(given, side),
})

/** A block's height. */
export const heightFlag: FlagType<bigint> = {
  value: "H",
  expects: "a height such as 100",
  read(given: Json) {
    if (typeof given === "number" && Number.isSafeInteger(given) && given >= 0) return BigInt(given)
    return typeof given === "string" && /^\d{1,20}$/.test(given) ? BigInt(given) : undefined
  },
}

/** A length of time in Go's syntax, `2s` or `1h30m`; in milliseconds. A bare JSON number is nanoseconds, as in AvalancheGo. */
export const duration: FlagType<number> = {
  value: "DURATION",
  expects: "a duration such as 2s or 1m30s",
  read(given: Json) {
    if (typeof given === "number") return given >= 0 ? given / 1e6 : undefined
    if (typeof given !== "string") return undefined
    try {
      const nanoseconds = parseGoDuration(given)
      return nanoseconds < 0n ? undefined : Number(nanoseconds) / 1e6
    } catch (error) {
      if (error instanceof Invalid) return undefined
      throw error
    }
  },
}

/** Words, separated by commas or spaces; a JSON list in the configuration. */
export const words: FlagType<readonly string[]> = {
  value: "A,B,…",
  expects: "words separated by commas",
  read(given: Json) {
    if (typeof given === "string") return given.split(/[,\s]+/).filter((word) => word !== "")
    return Array.isArray(given) && given.every((word) => typeof word === "string") ? (given as string[]) : undefined
  },
}

/** Chains with the addresses of the nodes that answer for them, `C=URL`, separated by commas. */
export const chainProxies: FlagType<readonly { readonly chain: string; readonly url: string }[]> = {
  value: "CHAIN=URL",
  expects: "chains with the address of a node each, such as C=http://127.0.0.1:8545",
  read(given, env) {
    const pairs = words.read(given, env)?.map((pair) => {
      const mark = pair.indexOf("=")
      return { chain: pair.slice(0, mark), url: pair.slice(mark + 1) }
    })
    const isRight = pairs?.every(({ chain, url }) => chain !== "" && /^https?:\/\//.test(url) && URL.canParse(url))
    return isRight ? pairs : undefined
  },
}

/** Whole numbers, separated by commas or spaces; a JSON list in the configuration. */
export const numbers: FlagType<readonly number[]> = {
  value: "N,N,…",
  expects: "integers from 0 to 2147483647 separated by commas",
  read(given: Json) {
    const listed = Array.isArray(given) ? given : typeof given === "number" ? [given] : words.read(given, {})
    const read = (listed as readonly Json[] | undefined)?.map((each) => integerFlag(0, 2 ** 31 - 1).read(each, {}))
    return read?.every((each) => each !== undefined) ? (read as number[]) : undefined
  },
}

/** An amount with its unit, as commands take it; a number of a configuration is in nAVAX. */
export const amount: FlagType<bigint> = {
  value: "AMOUNT",
  expects: "an amount with its unit, such as 5avax or 100navax",
  read: (given) => (typeof given === "string" ? valueOrUndefined(() => parseAmount(given)) : readU64(given)),
}

/** A whole number of 64 bits. */
export const wholeNumber: FlagType<bigint> = { value: "N", expects: "an integer from 0 to 18446744073709551615", read: readU64 }

/** An amount of gas. */
export const gas: FlagType<bigint> = {
  value: "GAS",
  expects: "an amount of gas, at least 1",
  read: (given) => readU64(given) || undefined,
}

function readU64(given: Json): bigint | undefined {
  const value = typeof given === "number" && Number.isSafeInteger(given) ? BigInt(given) : given
  if (typeof value === "bigint") return value >= 0n && value <= MAX64 ? value : undefined
  return typeof value === "string" && /^\d{1,20}$/.test(value) && BigInt(value) <= MAX64 ? BigInt(value) : undefined
}

/** The level from which events are logged. */
export const logLevel: FlagType<LogLevel> = {
  value: "LEVEL",
  expects: `one of ${logLevels.join(", ")}`,
  read: (given) => (typeof given === "string" ? parseLogLevel(given) : undefined),
}
