import { groupThousands } from "./groupThousands.js"

const NANO_AVAX = 1_000_000_000n

/** Prints an amount of nAVAX exactly in AVAX: `359,999,999.99999021 AVAX`. */
export function avaxText(amount: bigint): string {
  return `${groupThousands(amount / NANO_AVAX)}${fractionText(amount)} AVAX`
}

/** Prints an amount of nAVAX exactly in AVAX as a number that other programs read: `359999999.99999021`. */
export const avaxNumber = (amount: bigint): string => `${amount / NANO_AVAX}${fractionText(amount)}`

function fractionText(amount: bigint): string {
  const fraction = (amount % NANO_AVAX).toString().padStart(9, "0").replace(/0+$/, "")
  return fraction === "" ? "" : `.${fraction}`
}
