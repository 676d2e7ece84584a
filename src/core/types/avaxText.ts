import { groupThousands } from "../lib/groupThousands.js"

const NANO_AVAX = 1_000_000_000n

/** Prints an amount of nAVAX exactly in AVAX: `359,999,999.99999021 AVAX`. */
export function avaxText(amount: bigint): string {
  const fraction = (amount % NANO_AVAX).toString().padStart(9, "0").replace(/0+$/, "")
  return `${groupThousands(amount / NANO_AVAX)}${fraction === "" ? "" : `.${fraction}`} AVAX`
}
