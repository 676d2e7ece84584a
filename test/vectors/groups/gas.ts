import { mul64 } from "../../../src/core/lib/math64.js"
import type { Dimensions, GasConfig } from "../../../src/core/networks/params.js"
import {
  addDimensions,
  addOverTime,
  advanceGas,
  consumeGas,
  type GasState,
  priceOf,
  subOverTime,
  toGas,
} from "../../../src/core/rules/gas.js"
import type { Entry, Group, Verdict } from "../group.js"
import { networkNamed } from "../networkNamed.js"

const dimensionsOf = (entry: Entry): Dimensions => ({
  bandwidth: BigInt(entry.bandwidth),
  dbRead: BigInt(entry.dbRead),
  dbWrite: BigInt(entry.dbWrite),
  compute: BigInt(entry.compute),
})

const stateOf = (entry: Entry): GasState => ({ capacity: BigInt(entry.capacity), excess: BigInt(entry.excess) })

const limitsOf = (entry: Entry) => ({
  maxCapacity: BigInt(entry.maxCapacity),
  maxPerSecond: BigInt(entry.maxPerSecond),
  targetPerSecond: BigInt(entry.targetPerSecond),
})

const priceConfigOf = (entry: Entry) => ({
  minPrice: BigInt(entry.minPrice),
  excessConversionConstant: BigInt(entry.excessConversionConstant),
})

const configOf = (entry: Entry): Omit<GasConfig, "weights"> =>
  typeof entry === "string" ? networkNamed(entry).params.dynamicFee : { ...limitsOf(entry), ...priceConfigOf(entry) }

/** Compares the value, or checks that the action is refused if the entry expects that. */
function outcome(verdict: Verdict, what: string, expected: Entry, action: () => unknown): void {
  if (expected.error !== undefined) verdict.refuses(what, action)
  else verdict.equal(what, action(), expected)
}

export const gas: Group = {
  price({ input, expected }, verdict) {
    verdict.equal("price", priceOf(priceConfigOf(input), BigInt(input.excess)), expected.price)
  },

  addPerSecond({ input, expected }, verdict) {
    const result = addOverTime(BigInt(input.initial), BigInt(input.perSecond), BigInt(input.seconds))
    verdict.equal("result", result, expected.result)
  },

  subPerSecond({ input, expected }, verdict) {
    const result = subOverTime(BigInt(input.initial), BigInt(input.perSecond), BigInt(input.seconds))
    verdict.equal("result", result, expected.result)
  },

  cost({ input, expected }, verdict) {
    outcome(verdict, "cost", expected, () => ({ cost: mul64(BigInt(input.gas), BigInt(input.price)) }))
  },

  advanceTime({ input, expected }, verdict) {
    verdict.equal("state", advanceGas(stateOf(input.state), limitsOf(input), BigInt(input.seconds)), expected)
  },

  consumeGas({ input, expected }, verdict) {
    outcome(verdict, "state", expected, () => consumeGas(stateOf(input.state), BigInt(input.gas)))
  },

  dimensionsAdd({ input, expected }, verdict) {
    outcome(verdict, "sum", expected, () => addDimensions(dimensionsOf(input.left), ...input.right.map(dimensionsOf)))
  },

  dimensionsSub: () => "no part of Serac subtracts dimensions",

  toGas({ input, expected }, verdict) {
    outcome(verdict, "gas", expected, () => ({ gas: toGas(dimensionsOf(input.units), dimensionsOf(input.weights)) }))
  },

  blockFlow({ input, expected }, verdict) {
    const config = configOf(input.config)
    const afterAdvance = advanceGas(stateOf(input.state), config, BigInt(input.seconds))
    const priceUsed = priceOf(config, afterAdvance.excess)
    const afterBlock = consumeGas(afterAdvance, BigInt(input.blockGas))
    verdict.equal("block", { priceUsed, afterAdvance, afterBlock }, expected)
  },
}
