import { afterAll, beforeAll, expect, test } from "vitest"
import { RemoteWallet } from "../../src/client/remoteWallet.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { attempts, Random } from "../fuzz/random.js"

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

/** A validator in a model that charges each second by itself. Every fee is 1 nAVAX a second here. */
interface ModelValidator {
  weight: bigint
  balance: bigint
}

test("random registrations, top-ups, changes of weight, disablings and waits give what a model second by second gives", async () => {
  await using chain = await startDevnet({ port: false, accounts: 0, startTime: 1_900_000_000n, freezeTime: true })
  const random = new Random(491)
  const { subnetID, validators } = await chain.dev.createL1({ validators: 2, weight: 5_000, balance: 1_000_000 })
  const model = new Map<string, ModelValidator>(
    validators.map(({ validationID }) => [validationID, { weight: 5_000n, balance: 1_000_000n }]),
  )
  const charge = (seconds: bigint) => {
    for (let i = 0n; i < seconds; i++) for (const each of model.values()) if (each.balance > 0n) each.balance--
  }
  let time = secondsOfClock(await chain.dev.status())
  const advanceTo = (next: bigint) => {
    charge(next - time)
    time = next
  }
  const actions: ((validationID: string, validator: ModelValidator) => Promise<unknown>)[] = [
    async () => {
      const [weight, balance] = [BigInt(1 + random.below(20)), BigInt(random.below(5) === 0 ? 0 : 1 + random.below(3_000))]
      const { validationID } = await chain.dev.registerL1Validator({ subnetID, weight, balance })
      model.set(validationID, { weight, balance })
    },
    async (validationID, validator) => {
      const amount = BigInt(1 + random.below(2_000))
      const wallet = await RemoteWallet.open(chain.rpc, { now: time })
      await wallet.increaseL1Balance(validationID, amount)
      validator.balance += amount
    },
    async (validationID, validator) => {
      validator.weight = BigInt(1 + random.below(20))
      await chain.dev.setL1Weight({ validationID, weight: validator.weight })
    },
    async (validationID, validator) => {
      if (validator.balance === 0n) return
      await chain.dev.disableL1Validator({ validationID })
      validator.balance = 0n
    },
    async () => {
      const next = time + BigInt(1 + random.below(1_500))
      await chain.dev.setTime({ to: next, frozen: true })
      await chain.dev.mine({ blocks: 1, filler: true })
    },
  ]
  const told = new Map<bigint, unknown>()
  for (let i = 0; i < attempts(200); i++) {
    // The first two validators sign what a manager would send, and stay.
    const later = [...model].slice(2)
    const action = later.length === 0 ? actions[0] : random.pick(actions)
    const [validationID, validator] = later.length === 0 ? ["", { weight: 0n, balance: 0n }] : random.pick(later)
    const before = time
    await action?.(validationID, validator)
    const health = await chain.rpc("platform.getL1Health", { subnetID })
    const { timestamp, height, validators: now } = health
    told.set(height, health)
    // A change is applied at the time of its block, after the seconds before it were paid.
    expect(seconds(timestamp)).toBeGreaterThanOrEqual(before)
    advanceTo(seconds(timestamp))
    expect(now.map(({ validationID: id = "", weight, balance, active }) => [id, weight, balance, active]).sort()).toEqual(
      [...model].map(([id, { weight, balance }]) => [id, weight, balance, balance > 0n]).sort(),
    )
  }
  // What was told at the tip is told about the past, too.
  for (const [height, health] of told) expect(await chain.rpc("platform.getL1Health", { subnetID, height })).toEqual(health)
})

const secondsOfClock = ({ chainTime }: { readonly chainTime: string }) => seconds(chainTime)
