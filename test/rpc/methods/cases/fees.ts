import { AVAX_ID, COIN_ID, EMPTY, type MethodsFixture, NOWHERE, time } from "../fixture.js"
import { both, differ, refused, type Table } from "../table.js"
import { END, START } from "../when.js"

/** Cases of the methods about fees, supply and stake limits. */
export function feeCases(facts: MethodsFixture): Table {
  return { ...stateCases(facts), ...historyCases(facts) }
}

/** The prices after the last blocks of the chain, which has used so little gas that they never moved. */
function historyCases({ height, blockAt }: MethodsFixture): Table {
  const timeOf = (at: number): bigint => {
    const block = blockAt(at)
    return "time" in block ? block.time : START
  }
  const priced = (first: number) => ({
    blocks: Array.from({ length: height + 1 - first }, (_, i) => ({
      ...{ height: String(first + i), timestamp: time(timeOf(first + i)) },
      ...{ gasPrice: 1, validatorPrice: 1 },
    })),
  })
  const sixty = priced(Math.max(0, height - 59))
  return {
    "platform.getFeeHistory": {
      takes: { from: "bound", to: "bound", limit: "u32" },
      normal: [both({ limit: 3 }, priced(height - 2))],
      "all parameters": [
        both({ limit: "1" }, priced(height)),
        both({ from: 1, to: 3, limit: 2 }, { blocks: priced(2).blocks.slice(0, 2) }),
        both(
          { from: time(timeOf(height)), to: "9999-12-31" },
          { blocks: priced(0).blocks.filter(({ timestamp }) => timestamp === time(timeOf(height))) },
        ),
        both({ from: height + 1 }, { blocks: [] }),
        both({ limit: 4_000_000_000 }, priced(0)),
        both({ limit: 0 }, sixty),
      ],
      "omitted parameters": [both({}, sixty), both(undefined, sixty)],
    },
  }
}

function stateCases({ id, height }: MethodsFixture): Table {
  const timestamp = time(END)
  const config = { capacity: 20_000, target: 10_000, minPrice: 1, excessConversionConstant: 865_617 }
  const subnetID = id("open")
  const closed = [id("subnet"), id("l1"), NOWHERE]
  const notElastic = (asked: string) =>
    refused(
      { subnetID: asked },
      "platform.not_elastic",
      { subnetID: asked },
      `failed fetching subnet transformation for ${asked}: not found`,
    )
  const supply = { supply: "361196579719456888", height: String(height) }
  const primary = { minValidatorStake: "2000000000000", minDelegatorStake: "25000000000" }

  return {
    "platform.getFeeConfig": {
      takes: {},
      normal: [
        both(undefined, {
          weights: [1, 1000, 1000, 4],
          maxCapacity: 1_000_000,
          maxPerSecond: 100_000,
          targetPerSecond: 50_000,
          minPrice: 1,
          excessConversionConstant: 2_164_043,
        }),
      ],
    },
    "platform.getFeeState": {
      takes: {},
      normal: [both(undefined, { capacity: 995_901, excess: 4_099, price: 1, timestamp })],
    },
    "platform.getValidatorFeeConfig": {
      takes: {},
      // D17
      normal: [differ(undefined, { ...config, targetPerSecond: 50_000 }, config)],
    },
    "platform.getValidatorFeeState": { takes: {}, normal: [both(undefined, { excess: 0, price: 1, timestamp })] },
    "platform.getMinStake": {
      takes: { subnetID: "ID" },
      normal: [both({ subnetID: EMPTY }, primary)],
      "all parameters": [both({ subnetID }, { minValidatorStake: "10", minDelegatorStake: "1" })],
      "omitted parameters": [both({}, primary), both(undefined, primary)],
      errors: closed.map(notElastic),
    },
    "platform.getStakingAssetID": {
      takes: { subnetID: "ID" },
      normal: [both({ subnetID: EMPTY }, { assetID: AVAX_ID })],
      "all parameters": [both({ subnetID }, { assetID: COIN_ID })],
      "omitted parameters": [both({}, { assetID: AVAX_ID }), both(undefined, { assetID: AVAX_ID })],
      errors: closed.map(notElastic),
    },
    "platform.getCurrentSupply": {
      takes: { subnetID: "ID" },
      normal: [both({ subnetID: EMPTY }, supply)],
      "all parameters": [both({ subnetID }, { supply: "1000016", height: String(height) })],
      "omitted parameters": [both({}, supply), both(undefined, supply)],
      errors: closed.map((asked) =>
        refused({ subnetID: asked }, "platform.no_supply", { subnetID: asked }, "fetching current supply failed: not found"),
      ),
    },
  }
}
