import { parseArgs } from "node:util"
import { BIG_GENESIS } from "../fixtures/bigGenesis.js"

/** Options of a comparison. */
export interface CompareOptions {
  /** The program of AvalancheGo. */
  readonly avalanchego: string
  readonly seconds: number
  readonly connections: number
  readonly validators: number
  readonly utxos: number
  /** Parts of the names of the measured methods; by default all methods are measured. */
  readonly methods: readonly string[] | undefined
  /** The file that the result is written to as JSON. */
  readonly json: string | undefined
  /** Flags for Serac besides those that name the chain. */
  readonly serac: readonly string[]
}

/** The usage of the command. */
export const COMPARE_HELP = `npm run compare -- --avalanchego PATH [FLAGS]
  --seconds N        seconds for each method and node, in rounds of one (default 9), after one to warm up
  --connections N    (default 16)
  --validators N     of the genesis (default 1,500); --utxos N (default 100,000)
  --methods A,B      only methods whose name contains one of these
  --serac FLAG       a flag for Serac, such as --serac=--history=off; may be given several times
  --json FILE        writes the result as JSON, besides to stdout
  --help             shows this text`

/** Reads the flags of the command: the options, `help`, or a sentence about what is wrong with them. */
export function readCompareOptions(args: readonly string[]): CompareOptions | "help" | { readonly fault: string } {
  try {
    const { help, ...flags } = flagsOf(args)
    if (help) return "help"
    const { avalanchego, methods, json, serac } = flags
    if (avalanchego === undefined) return { fault: "--avalanchego PATH is missing" }
    const numbers = {
      seconds: positive(flags, "seconds"),
      connections: positive(flags, "connections"),
      validators: positive(flags, "validators"),
      utxos: positive(flags, "utxos"),
    }
    return { avalanchego, ...numbers, methods: methods?.split(","), json, serac }
  } catch (error) {
    return { fault: (error as Error).message }
  }
}

function flagsOf(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h", default: false },
      avalanchego: { type: "string" },
      seconds: { type: "string", default: "9" },
      connections: { type: "string", default: "16" },
      validators: { type: "string", default: String(BIG_GENESIS.validators) },
      utxos: { type: "string", default: String(BIG_GENESIS.utxos) },
      methods: { type: "string" },
      json: { type: "string" },
      serac: { type: "string", multiple: true, default: [] },
    },
  }).values
}

function positive<N extends string>(flags: Readonly<Record<N, string>>, name: N): number {
  const value = Number(flags[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is a whole number from 1 on, not ${flags[name]}`)
  return value
}
