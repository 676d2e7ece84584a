import { describe, expect, onTestFinished, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { startCopy } from "../sync/followNodes.js"

const START = 1_900_000_000n
const DAY = 86_400

describe("the validators of L1s in SQL", needsPostgres, () => {
  test("have their run-outs, their state and their balance as the API", async () => {
    const { url, sql, close } = await newDatabase()
    onTestFinished(close)
    await using devnet = await startDevnet({ startTime: START, freezeTime: true })
    const { subnetID } = await devnet.dev.createL1({ validators: 2, balance: 1_000_000 })
    const { validationID: rich } = await devnet.dev.registerL1Validator({ subnetID, weight: 5, balance: 5_000_000_000 })
    await devnet.dev.advanceTime({ seconds: 20 * DAY, settle: true })
    const { validators } = await devnet.rpc("platform.getCurrentValidators", { subnetID })
    const expected = await Promise.all(
      validators.map(async (each) => {
        const { validationID, weight, balance } = each as { validationID: string; weight: bigint; balance: bigint }
        const { events } = await devnet.rpc("platform.getL1ValidatorHistory", { validationID, kinds: ["ranOut"] })
        return { validationID, weight, balance, ranOut: events.map(({ height, timestamp }) => [height, timestamp]) }
      }),
    )
    expect(expected.map(({ validationID, ranOut }) => [validationID === rich, ranOut.length]).sort()).toEqual([
      [false, 1],
      [false, 1],
      [true, 0],
    ])
    const { height } = await devnet.dev.status()
    const publish = async () => {
      await using publisher = await startCopy([devnet.url], undefined, { publish: url })
      await publisher.reaches(height)
      while ((await sql`select 1 from serac.tip where height = ${height}`).length === 0) await new Promise(setImmediate)
    }
    const found = async () => {
      const states = await sql`select validation_id, weight, active, balance, inactive_since from serac.l1_validator_states`
      const events = await sql`select validation_id, height, time, tx_id from serac.l1_validator_events where event = 'ranOut'`
      return states.map(({ validation_id, weight, active, balance, inactive_since }) => {
        const own = events.filter((event) => event.validation_id === validation_id)
        expect([active, inactive_since]).toEqual([own.length === 0, own[0]?.time ?? null])
        const ranOut = own.map((event) => [event.height, event.time.toISOString().replace(".000", "")])
        return { validationID: validation_id, weight: BigInt(weight), balance: BigInt(balance), ranOut }
      })
    }
    const byID = <T extends { validationID: string }>(rows: T[]) =>
      rows.sort((a, b) => (a.validationID < b.validationID ? -1 : 1))
    await publish()
    expect(byID(await found())).toEqual(byID(expected))
  }, 60_000)
})
