import { afterAll, beforeAll, expect, test } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: false })
})
afterAll(() => devnet.stop())

const seconds = (time: string | null) => BigInt(Date.parse(time ?? "") / 1000)

test("each balance of an L1 ends in the predicted second, and the thresholds are lost then", async () => {
  const { subnetID } = await devnet.dev.createL1({ validators: 2, weight: 10, balance: 5_000 })
  for (const balance of [1_000, 2_000, 3_000]) await devnet.dev.registerL1Validator({ subnetID, weight: 10, balance })
  const payer = (await devnet.dev.accounts()).accounts[0]?.address ?? ""
  const healthNow = () => devnet.rpc("platform.getL1Health", { subnetID })
  const first = await healthNow()
  expect(first).toMatchObject({ verdict: "runsOut", totalWeight: 50n, activeWeight: 50n })
  const ends = new Map(first.validators.map(({ validationID, endsAt }) => [validationID, seconds(endsAt)]))
  expect(new Set(ends.values()).size).toBe(4)
  for (const end of new Set(ends.values())) {
    for (const time of [end - 1n, end]) {
      await devnet.dev.setTime({ to: time, frozen: true })
      // A payment makes a block of this time, which nothing else does before a balance ends.
      await devnet.dev.pay({ from: payer, to: payer, amount: 1 })
      const { validators, timestamp, warp, snowman } = await healthNow()
      expect(seconds(timestamp)).toBe(time)
      const active = validators.filter((each) => each.active).map((each) => each.validationID)
      expect(active.sort()).toEqual(
        [...ends]
          .filter(([, at]) => at > time)
          .map(([id]) => id)
          .sort(),
      )
      expect(validators.every(({ validationID: id, endsAt }) => endsAt === null || seconds(endsAt) === ends.get(id))).toBe(true)
      expect([warp.isMet, snowman.isMet]).toEqual([time < seconds(first.warp.lostAt), time < seconds(first.snowman.lostAt)])
    }
  }
  expect(await healthNow()).toMatchObject({ verdict: "halted", activeWeight: 0n })
})

test("a plan of top-ups keeps the L1 alive until its time", async () => {
  const { subnetID } = await devnet.dev.createL1({ validators: 3, weight: 10, balance: 4_000 })
  const { timestamp } = await devnet.rpc("platform.getL1Health", { subnetID })
  const until = seconds(timestamp) + 10_000n
  const { plan } = await devnet.rpc("platform.getL1Health", { subnetID, until })
  // Every validator has a third of the weight, and 75 % are needed.
  expect(plan).toMatchObject({ isPossible: true, isCheapest: true, total: 18_000n })
  expect(plan?.topUps.map(({ amount }) => amount)).toEqual([6_000n, 6_000n, 6_000n])
})

test.each([
  ["a subnet that does not exist", { subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka" }, "platform.unknown_subnet"],
  ["the primary network", { subnetID: "11111111111111111111111111111111LpoYY" }, "platform.primary_network"],
])("%s is refused", async (_name, params, code) => {
  await expect(devnet.rpc("platform.getL1Health", params)).rejects.toMatchObject({ code })
})

test("a time in the past, one beyond the forecast, and impossible parameters of Snowman are refused", async () => {
  const { subnetID } = await devnet.dev.createL1({})
  const refusal = async (params: object) =>
    devnet.rpc("platform.getL1Health", { subnetID, ...params }).then(
      () => undefined,
      ({ code }) => code,
    )
  expect(await refusal({ until: 1 })).toBe("platform.time_passed")
  expect(await refusal({ until: 10n ** 18n })).toBe("platform.time_beyond_forecast")
  expect(await refusal({ sampleSize: 5, alphaConfidence: 6 })).toBe("rpc.bad_param")
})
