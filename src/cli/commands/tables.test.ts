import { beforeEach, expect, onTestFinished, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { type Devnet, startDevnet } from "../../devnet/devnet.js"

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const options = { accounts: 0, startTime: 1_900_000_000n, freezeTime: true }
let devnet: Devnet

beforeEach(async () => {
  devnet = await startDevnet(options)
  onTestFinished(() => devnet.stop())
})

const serac = (...words: readonly string[]) => run([...words, "--url", devnet.url])
const shown = (stdout: string) => ({ code: 0, stdout, stderr: "" })

/** Returns the output of a command with --json. */
async function jsonOf(...words: readonly string[]) {
  const { stdout } = await serac(...words, "--json")
  expect(stdout.split("\n")).toHaveLength(2)
  return JSON.parse(stdout)
}

test("validators are a table with their stakes in AVAX", async () => {
  expect(await serac("validators")).toEqual(
    shown(`NODE ID                                           WEIGHT        FEE     UPTIME  ENDS
NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5  2,000,000 AVAX    6.2500%  100.0000%  2030-09-16T22:00:00Z
NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu  2,000,000 AVAX   12.5000%  100.0000%  2030-09-16T23:30:00Z
NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN  2,000,000 AVAX   25.0000%  100.0000%  2030-09-17T01:00:00Z
NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ  2,000,000 AVAX   50.0000%  100.0000%  2030-09-17T02:30:00Z
NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg  2,000,000 AVAX  100.0000%  100.0000%  2030-09-17T04:00:00Z
5 validators, 10,000,000 AVAX
`),
  )
})

test("delegations have a column where there are any, and --json is what the method answers", async () => {
  await devnet.dev.addValidators({ count: 1, delegators: 2, weight: 3_000_000_000_000n })
  const { stdout } = await serac("validators")
  expect(stdout).toMatch(/^NODE ID +WEIGHT +DELEGATED +FEE/)
  expect(stdout).toMatch(/ 3,000 AVAX +50 AVAX /)
  expect(stdout).toMatch(/\n6 validators, 10,003,050 AVAX\n$/)
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.getCurrentValidators", params: {} })
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`${devnet.url}/ext/bc/P`, { method: "POST", headers, body })
  expect(await jsonOf("validators")).toEqual(((await answer.json()) as { result: unknown }).result)
})

test("a transaction has its block, fee, inputs and outputs, with their owners and locks", async () => {
  const { txID } = await devnet.dev.fund({
    addresses: [FRIEND, EWOQ],
    threshold: 2,
    amount: 1_500_000_000n,
    locktime: 1_950_000_000n,
  })
  const { blockID } = await devnet.rpc("platform.getTxInfo", { txID: txID as string })
  expect(await serac("tx", txID as string)).toEqual(
    shown(`ID      ${txID}
Kind    BaseTx
Status  Committed
Block   1  ${blockID}
Time    2030-03-17T17:46:40Z
Fee     0.000005199 AVAX

PART                       AMOUNT  OWNERS                                                                                                   LOCKED UNTIL
input             20,000,000 AVAX  ${EWOQ}
output                   1.5 AVAX  ${FRIEND}, ${EWOQ} (2 of 2)  2031-10-17T10:40:00Z
output  19,999,998.499994801 AVAX  ${EWOQ}
`),
  )
  expect(await jsonOf("tx", txID as string)).toMatchObject({
    txID,
    blockID,
    height: "1",
    fee: "5199",
    tx: { unsignedTx: { memo: "0x" } },
  })
})

test("the stake of a validator is a part of its transaction, which names the node", async () => {
  const { txIDs, nodeIDs } = await devnet.dev.addValidators({ count: 1 })
  const { stdout } = await serac("tx", txIDs[0] as string)
  expect(stdout).toMatch(/\nstake +2,000 AVAX +P-local1/)
  expect(stdout).toContain(`\nNode    ${nodeIDs[0]}\n`)
})

test("a transaction shows what it adds to the balances of L1 validators, with their nodes and weights", async () => {
  const { subnetID } = await devnet.dev.createL1({})
  const { txID, validationID, nodeID } = await devnet.dev.registerL1Validator({ subnetID, weight: 25 })
  const { stdout } = await serac("tx", txID)
  expect(stdout).toMatch(new RegExp(`\nbalance +1 AVAX  L1 validator ${validationID}\n`))
  expect(stdout.split("\n\n")[2]).toMatch(new RegExp(`^L1 VALIDATOR +NODE ID +WEIGHT\n${validationID} +${nodeID} +25\n$`))
})

test("a transaction that waits has a status, and an unknown one exits with 1", async () => {
  // The same chain elsewhere makes a transaction that is valid here too.
  await using twin = await startDevnet(options)
  const { txID } = await twin.dev.pay({ from: EWOQ, to: FRIEND, amount: 1_000_000_000n })
  await devnet.dev.setBlockMode({ mode: "manual" })
  await devnet.rpc("platform.issueTx", { tx: (await twin.rpc("platform.getTx", { txID, encoding: "hex" })).tx })
  expect(await serac("tx", txID)).toEqual(shown(`ID      ${txID}\nStatus  Processing\n`))
  expect(await jsonOf("tx", txID)).toEqual({ txID, status: "Processing" })
  const unknown = "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm"
  expect(await serac("tx", unknown)).toEqual({
    code: 1,
    stdout: "",
    stderr: `serac: cli.unknown_tx: the node knows no such transaction (txID: ${unknown})\n`,
  })
})

test("a node that answers in AvalancheGo's dialect, without codes, is asked in the same way", async () => {
  await using other = await startDevnet({ ...options, dialect: "avalanchego" })
  const { txID } = await other.dev.fund({ address: FRIEND, amount: 1_000_000_000n })
  const tx = (id: string) => run(["tx", id, "--url", other.url])
  expect((await tx(txID as string)).stdout).toMatch(/^ID +\w+\nKind +BaseTx\nStatus +Committed\n/)
  const unknown = "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm"
  expect((await tx(unknown)).stderr).toBe(`serac: cli.unknown_tx: the node knows no such transaction (txID: ${unknown})\n`)
  expect((await tx("abc")).stderr).toMatch(/^serac: rpc\.call_failed: couldn't unmarshal an argument/)
})

test("an address has its amounts and its last transactions", async () => {
  expect((await serac("address", FRIEND)).stdout).toBe(
    `Address   ${FRIEND}\nBalance   0 AVAX\nUnlocked  0 AVAX\nStaked    0 AVAX\n`,
  )
  const first = await devnet.dev.fund({ address: FRIEND, amount: 1_500_000_000n })
  await devnet.dev.fund({ address: FRIEND, amount: 2_000_000_000n, stakeableLocktime: 1_950_000_000n })
  const last = await devnet.dev.fund({ address: FRIEND, amount: 3n, locktime: 1_950_000_000n })
  const amounts = `Address                   ${FRIEND}
Balance                   3.500000003 AVAX
Unlocked                  1.5 AVAX
Locked, for staking only  2 AVAX
Locked                    0.000000003 AVAX
Staked                    0 AVAX

BLOCK  TIME                  KIND    TRANSACTION
    2  2030-03-17T17:46:40Z  BaseTx  ${last.txID}
`
  expect(await serac("address", FRIEND)).toEqual(shown(`${amounts}    1  2030-03-17T17:46:40Z  BaseTx  ${first.txID}\n`))
  expect(await serac("address", FRIEND, "--limit", "1")).toEqual(
    shown(`${amounts}Older transactions are omitted; --limit shows more.\n`),
  )
  expect(await jsonOf("address", FRIEND)).toMatchObject({
    address: FRIEND,
    balance: { balance: "3500000003", lockedStakeable: "2000000000" },
    stake: { staked: "0" },
    history: { txs: [{ txID: last.txID }, { txID: first.txID }], cursor: null },
  })
})

test("an invalid address is refused by the node's own sentence", async () => {
  const { code, stdout, stderr } = await serac("address", "P-local1xyz")
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toMatch(/^serac: \w+\.\w+: .*P-local1xyz.*\n$/)
})
