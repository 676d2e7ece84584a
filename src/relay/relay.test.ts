import { expect, test } from "vitest"
import { abiBytes } from "../../test/l1/board.js"
import { hexToBytes, toHex, utf8 } from "../core/lib/bytes.js"
import type { ID } from "../core/types/id.js"
import { keccak256 } from "../evm/address.js"
import { deliveryCall, EXECUTION_FAILED, icmMessageID, receivedCall } from "../evm/icmMessage.js"
import { signEvmTransaction } from "../evm/transaction.js"
import { SEND_WARP_MESSAGE, WARP_PRECOMPILE } from "../evm/warpLogs.js"
import { vmError } from "../vmhost/errors.js"
import { GrpcError, grpcStatus } from "../vmhost/grpc/grpcError.js"
import { deliver } from "./deliver.js"
import { EvmRefusal, type EvmRpc, icmMessageOf } from "./evmRpc.js"
import { accepting, contract, logOf } from "./fakeEvm.fixture.js"
import { RELAYER } from "./ports.js"
import { RelayLedger, type SentMessage } from "./relayLedger.js"

const [a, b, c] = ["aa", "bb", "cc"].map((byte) => byte.repeat(32) as ID) as [ID, ID, ID]

/** A message with this nonce, which the block of the same height sent. */
function messageOf(nonce: number, from = a, to = b, relayers: readonly string[] = []): SentMessage {
  const place = { blockNumber: BigInt(nonce), transactionHash: "0x01" }
  return icmMessageOf({ ...logOf({ nonce, from, to, relayers }), ...place }) as SentMessage
}
const everySource = () => true

test("a log is a message of ICM only if an ICM contract sent it", () => {
  expect(messageOf(3)).toMatchObject({
    contract,
    sourceChainID: a,
    destinationChainID: b,
    nonce: 3n,
    height: 3n,
    sourceTx: "0x01",
  })
  const place = { blockNumber: 1n, transactionHash: "0x01" }
  const log = { ...place, address: WARP_PRECOMPILE, topics: [SEND_WARP_MESSAGE] }
  for (const data of ["0x", `0x${abiBytes(new Uint8Array(0))}`, `0x${abiBytes(Buffer.from("text"))}`]) {
    expect(icmMessageOf({ ...log, data })).toBeUndefined()
  }
})

test("messages wait in the order in which they were sent, for each destination and each source that is ready", () => {
  const ledger = new RelayLedger()
  ledger.add(a, 5n, [messageOf(1), messageOf(2, a, c), messageOf(3)])
  ledger.add(c, 9n, [messageOf(7, c, b)])
  const nonces: bigint[] = []
  for (let next = ledger.next(b, everySource); next; next = ledger.next(b, everySource)) {
    nonces.push(next.nonce)
    ledger.settle(next.messageID, { state: "delivered" })
  }
  expect(nonces).toEqual([1n, 3n, 7n])
  ledger.add(a, 6n, [messageOf(6)])
  expect(ledger.next(b, (source) => source === c)).toBeUndefined()
  expect(ledger.next(c, everySource)?.nonce).toBe(2n)
})

test("the note of a chain is before its first message that is not delivered, also if that failed", () => {
  const ledger = new RelayLedger()
  expect(ledger.deliveredTo(a)).toBeUndefined()
  const [first, second] = [messageOf(4), messageOf(6)]
  ledger.add(a, 9n, [first, second])
  expect(ledger.deliveredTo(a)).toBe(3n)
  ledger.settle(first.messageID, { state: "failed", reason: "no funds" })
  ledger.settle(second.messageID, { state: "delivered" })
  expect(ledger.deliveredTo(a)).toBe(3n)
  expect(ledger.next(b, everySource)).toBeUndefined()
  ledger.retryFailed()
  expect(ledger.next(b, everySource)).toMatchObject({ nonce: 4n, state: "waiting", reason: undefined })
  ledger.settle(first.messageID, { state: "delivered" })
  expect(ledger.deliveredTo(a)).toBe(9n)
})

test("a message that is sent again waits again if it failed, and not if it was delivered", () => {
  const ledger = new RelayLedger()
  const message = messageOf(1)
  ledger.add(a, 1n, [message])
  ledger.settle(message.messageID, { state: "failed", reason: "no funds" })
  ledger.add(a, 2n, [message])
  expect(ledger.messages.map(({ state }) => state)).toEqual(["waiting"])
  ledger.settle(message.messageID, { state: "delivered" })
  ledger.add(a, 3n, [message])
  expect(ledger.messages.map(({ state }) => state)).toEqual(["delivered"])
})

test("of delivered messages the last 1,000 are remembered", () => {
  const ledger = new RelayLedger()
  const sent = Array.from({ length: 1002 }, (_, i) => ({ ...messageOf(1), messageID: i.toString(16).padStart(64, "0") as ID }))
  ledger.add(a, 1n, sent)
  for (const { messageID } of sent) ledger.settle(messageID, { state: "delivered" })
  expect(ledger.messages.length).toBe(1000)
  expect(ledger.messages[0]?.messageID).toBe(sent[2]?.messageID)
})

test("of failed messages the last 1,000 are remembered, and the others are read again before they are tried again", () => {
  const ledger = new RelayLedger()
  const sent = Array.from({ length: 1002 }, (_, i) => ({
    ...{ ...messageOf(1), messageID: i.toString(16).padStart(64, "0") as ID, height: BigInt(i + 5) },
  }))
  ledger.add(a, 2000n, sent)
  for (const { messageID } of sent) ledger.settle(messageID, { state: "failed", reason: "no funds" })
  expect(ledger.messages.length).toBe(1000)
  expect([ledger.deliveredTo(a), ledger.readTo(a)]).toEqual([4n, 2000n])
  ledger.retryFailed()
  expect([ledger.deliveredTo(a), ledger.readTo(a)]).toEqual([4n, 4n])
  ledger.add(a, 2000n, sent)
  for (const { messageID } of sent) ledger.settle(messageID, { state: "delivered" })
  expect(ledger.deliveredTo(a)).toBe(2000n)
})

/** Delivers a message to a destination with these answers. An answer may be an error, or a list of answers one after the other. */
async function delivery(answers: Readonly<Record<string, unknown>> = {}, message = messageOf(1)) {
  const calls: string[] = []
  const sent: string[] = []
  const answerOf = (name: string): unknown => {
    const given = { ...accepting, ...answers }[name]
    const answer = Array.isArray(given) ? given.shift() : given
    if (answer instanceof Error) throw answer
    return answer
  }
  const rpc: EvmRpc = async (method, [raw]) => {
    calls.push(method)
    if (method === "eth_sendRawTransaction") sent.push(raw as string)
    return answerOf(method)
  }
  const sign = async () => {
    const signedMessage = (answerOf("sign") ?? message.bytes) as Uint8Array
    return { signedMessage, pChainHeight: (answerOf("pChainHeight") ?? 1n) as bigint, signers: [], totalWeight: 1n }
  }
  const isBeforeFirstBlock = () => answerOf("isBeforeFirstBlock") === true
  const isWanted = () => calls.length < 100
  const ports = { rpc, evmChainID: 1n, keys: [RELAYER], sign, isBeforeFirstBlock, pause: async () => {}, isWanted }
  return { outcome: await deliver(message, ports), calls, sent }
}

test("a message is delivered by one transaction, whose receipt is waited for", async () => {
  const { outcome, calls } = await delivery({ eth_getTransactionReceipt: [null, null, { status: "0x1", logs: [] }] })
  expect(outcome).toEqual({ state: "delivered", reason: undefined, deliveryTx: "0x99", signers: [], totalWeight: 1n })
  expect(calls.filter((each) => each === "eth_sendRawTransaction").length).toBe(1)
})

test("a delivery that a change of validators overtakes is signed and sent again", async () => {
  const [old, changed] = ["11", "22"].map(hexToBytes) as [Uint8Array, Uint8Array]
  const reverted = { status: "0x0", logs: [] }
  const eth_getTransactionReceipt = [reverted, reverted, { status: "0x1", logs: [] }]
  const eth_sendRawTransaction = ["0x01", "0x02", "0x03"]
  const answers = { sign: [old, changed, old], eth_getTransactionReceipt, eth_sendRawTransaction }
  const { outcome, sent } = await delivery({ ...answers, debug_traceTransaction: { error: "execution reverted" } })
  expect(outcome).toEqual({ state: "delivered", reason: undefined, deliveryTx: "0x03", signers: [], totalWeight: 1n })
  expect(sent.map((raw) => [old, changed].findIndex((each) => raw.includes(`${toHex(each)}ff${"0".repeat(60)}`)))).toEqual([
    0, 1, 0,
  ])
})

const REVERTED = {
  eth_getTransactionReceipt: { status: "0x0", logs: [] },
  debug_traceTransaction: { error: "execution reverted" },
}

test("a delivery is sent again if the validators may have changed and changed back meanwhile (C7)", async () => {
  const eth_getTransactionReceipt = [
    { status: "0x0", logs: [] },
    { status: "0x1", logs: [] },
  ]
  const { outcome, sent } = await delivery({ ...REVERTED, eth_getTransactionReceipt, pChainHeight: [5n, 7n] })
  expect([outcome?.state, sent.length]).toEqual(["delivered", 2])
})

test("a contract that always refuses is asked a few times while the P-Chain makes blocks, and once otherwise", async () => {
  const heights = Array.from({ length: 9 }, (_, i) => BigInt(i))
  const moving = await delivery({ ...REVERTED, pChainHeight: heights })
  const standing = await delivery(REVERTED)
  expect([moving.outcome?.state, moving.sent.length]).toEqual(["failed", 4])
  expect([standing.outcome?.state, standing.sent.length]).toEqual(["failed", 1])
})

test("the first block of a destination is made by a payment of nothing, because it can carry no message", async () => {
  const { outcome, sent } = await delivery({ isBeforeFirstBlock: [true, true, true, false] })
  expect(outcome).toMatchObject({ state: "delivered" })
  const payment = { chainID: 1n, nonce: 5n, gasPrice: 2n, gas: 21_000n, to: RELAYER.address }
  expect(sent[0]).toBe(signEvmTransaction(payment, hexToBytes(RELAYER.privateKey.slice(2))))
  expect(sent.length).toBe(2)
})

test("a message that the destination has received is not delivered again", async () => {
  const { outcome, calls } = await delivery({ eth_call: `0x${"1".padStart(64, "0")}` })
  expect(outcome).toEqual({ state: "delivered" })
  expect(calls).toEqual(["eth_getCode", "eth_call"])
})

test("a receiver that fails is no failure of the delivery, and is shown", async () => {
  const { icmID } = messageOf(1)
  const { outcome } = await delivery({
    eth_getTransactionReceipt: { status: "0x1", logs: [{ address: contract, topics: [EXECUTION_FAILED, icmID], data: "0x" }] },
  })
  expect(outcome).toMatchObject({ state: "delivered", reason: expect.stringMatching(/^the receiver failed/) })
})

test.each([
  ["no contract", { eth_getCode: "0x" }, `no contract is at ${contract} on the destination`],
  ["another contract", { eth_call: "0x" }, `the contract at ${contract} on the destination is not one of ICM`],
  ["a long answer of another contract", { eth_call: `0x${"0".repeat(128)}` }, "is not one of ICM"],
  ["no nonce", { eth_getTransactionCount: "five" }, "eth_getTransactionCount: the VM gives no answer of this method"],
  ["no price", { eth_gasPrice: null }, "eth_gasPrice: the VM gives no answer of this method"],
  ["no hash", { eth_sendRawTransaction: {} }, "eth_sendRawTransaction: the VM gives no answer of this method"],
  ["no receipt", { eth_getTransactionReceipt: "0x1" }, "eth_getTransactionReceipt: the VM gives no answer of this method"],
  ["no funds", { eth_getBalance: "0x0" }, "no key of the relayer has funds on the destination"],
  ["a VM that does not sign", { sign: vmError("vm.will_not_sign") }, "does not sign this message"],
  ["a refused transaction", { eth_sendRawTransaction: new EvmRefusal("exceeds block gas limit") }, "exceeds block gas limit"],
  ["a dropped one", { eth_getTransactionReceipt: null, eth_getTransactionByHash: null }, "the VM dropped the transaction"],
  [
    "a reverted one",
    { eth_getTransactionReceipt: { status: "0x0", logs: [] }, debug_traceTransaction: { revertReason: "not for you" } },
    "the transaction was reverted: not for you",
  ],
  [
    "a reverted one without traces",
    { eth_getTransactionReceipt: { status: "0x0", logs: [] }, debug_traceTransaction: new EvmRefusal("no such method") },
    "the transaction was reverted: its VM has no traces",
  ],
])("a delivery fails with the reason: %s", async (_what, answers, reason) => {
  expect((await delivery(answers)).outcome).toMatchObject({ state: "failed", reason: expect.stringContaining(reason) })
})

test("a message that only others may deliver fails, and one that allows this relayer does not", async () => {
  const refused = await delivery({}, messageOf(1, a, b, [contract]))
  expect(refused.outcome).toMatchObject({ state: "failed", reason: expect.stringContaining(RELAYER.address) })
  const allowed = await delivery({}, messageOf(1, a, b, [contract, RELAYER.address]))
  expect(allowed.outcome).toMatchObject({ state: "delivered" })
})

test("a VM that ends, or a revert, leaves the message waiting", async () => {
  const ended = new GrpcError(grpcStatus.unavailable, "the connection is lost")
  expect((await delivery({ eth_getTransactionReceipt: ended })).outcome).toBeUndefined()
  expect((await delivery({ sign: vmError("vm.stopped") })).outcome).toBeUndefined()
  expect((await delivery({ eth_getTransactionReceipt: null })).outcome).toBeUndefined()
})

test("the bytes of a message are those that its validators sign", () => {
  expect(toHex(messageOf(1).bytes).startsWith("000000003039aaaa")).toBe(true)
})

const hashOf = (text: string) => toHex(keccak256(utf8(text)))

test("the ID of a message and the calls are those of the contract", () => {
  const message = { destinationChainID: b, nonce: 7n }
  const words = [contract.slice(2).padStart(64, "0"), "11".repeat(32), b, "7".padStart(64, "0")].join("")
  expect(icmMessageID(contract, "11".repeat(32) as ID, message, keccak256)).toBe(`0x${toHex(keccak256(hexToBytes(words)))}`)
  expect(deliveryCall(RELAYER.address)).toBe(
    `0x${hashOf("receiveCrossChainMessage(uint32,address)").slice(0, 8)}${"0".repeat(64)}${RELAYER.address.slice(2).toLowerCase().padStart(64, "0")}`,
  )
  expect(receivedCall(`0x${"33".repeat(32)}`)).toBe(`0x${hashOf("messageReceived(bytes32)").slice(0, 8)}${"33".repeat(32)}`)
  const tuple = "(uint256,address,bytes32,address,uint256,address[],(uint256,address)[],bytes)"
  expect(EXECUTION_FAILED).toBe(`0x${hashOf(`MessageExecutionFailed(bytes32,bytes32,${tuple})`)}`)
})
