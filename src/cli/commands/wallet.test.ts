import { beforeEach, expect, onTestFinished, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { type Devnet, startDevnet } from "../../devnet/devnet.js"

const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
const NODE = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"
let devnet: Devnet

beforeEach(async () => {
  devnet = await startDevnet({ accounts: 0, startTime: 1_900_000_000n, freezeTime: true })
  onTestFinished(() => devnet.stop())
})

const serac = (...words: readonly string[]) => run([...words, "--url", devnet.url])

test("a payment is signed here, and the node accepts it", async () => {
  const { stdout, stderr, code } = await serac("send", FRIEND, "5avax")
  const { txs } = await devnet.rpc("platform.getTxsByAddress", { address: FRIEND })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toBe(
    `From         ${EWOQ}\nTo           ${FRIEND}\nAmount       5 AVAX\nTransaction  ${txs[0]?.txID}\nStatus       Committed\n`,
  )
  expect(await devnet.rpc("platform.getBalance", { addresses: [FRIEND] })).toMatchObject({ balance: 5_000_000_000n })
})

test("a key stakes for a validator, after the clock has moved on", async () => {
  await devnet.dev.advanceTime({ seconds: 3_600 })
  const { stdout } = await serac("stake", "25avax", "14d", "--node", NODE, "--json")
  const { txID, status } = JSON.parse(stdout)
  expect(status).toBe("Committed")
  const { stakes } = await devnet.rpc("platform.getStakesByAddress", { address: EWOQ })
  expect(stakes[0]).toMatchObject({ txID, nodeID: NODE, role: "delegator", amount: 25_000_000_000n, state: "active" })
})

test("a payment that cannot be funded is refused with the reason", async () => {
  const refusals = [
    [["send", FRIEND, "900000000avax"], /^serac: producer\.insufficient_funds: .*\n$/],
    [["send", "P-fuji1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3x4n2yu", "1avax"], /^serac: types\.\w+: .*\n$/],
    [["stake", "1avax", "14d", "--node", NODE], /^serac: rules\.weight_too_small: .*\n$/],
  ] as const
  for (const [words, line] of refusals) {
    expect(await serac(...words)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(line) })
  }
})
