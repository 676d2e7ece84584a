import { expect, onTestFinished, test, vi } from "vitest"
import { silentLog } from "../core/lib/log.js"
import { GrpcError, grpcStatus } from "../vmhost/grpc/grpcError.js"
import { contract, FakeEvm } from "./fakeEvm.fixture.js"
import { Relayer } from "./relayer.js"

/** Makes a relayer between chains. Faults are collected. */
function relayerOf(...evms: readonly FakeEvm[]) {
  const faults: unknown[] = []
  const chains = {
    get hosted() {
      return evms.map(({ hosted }) => hosted)
    },
  }
  const reportFault = (error: unknown) => faults.push(error)
  const others = { privateChain: undefined as never, hasAutoRelay: false, log: silentLog, fundedKeys: () => [] }
  const relayer = new Relayer(chains, { ...others, reportFault })
  const states = () =>
    relayer.messages.map(({ nonce, state, reason }) => [nonce, state, ...(reason === undefined ? [] : [reason])].join(" "))
  return { relayer, faults, states }
}

/** The answer of a contract that has received every message, and of one that answers nothing. */
const [RECEIVED, NOTHING] = [`0x${"1".padStart(64, "0")}`, "0x"]

test("a contract without an answer fails its own message, and the next one is delivered", async () => {
  const [first, second] = [new FakeEvm("first"), new FakeEvm("second")]
  const wallet = `0x${"0d".repeat(20)}`
  second.answers.eth_call = ([call]: readonly { readonly to: string }[]) => (call?.to === wallet ? NOTHING : RECEIVED)
  first.send({ nonce: 1, to: second.chainID, contract: wallet })
  first.send({ nonce: 2, to: second.chainID, contract })
  const { relayer, faults, states } = relayerOf(first, second)
  await relayer.relay()
  expect(states()).toEqual([`1 failed the contract at ${wallet} on the destination is not one of ICM`, "2 delivered"])
  expect(faults).toEqual([])
})

test("a message to a chain that is not here fails with the reason, and holds up no other one", async () => {
  const [first, second] = [new FakeEvm("first"), new FakeEvm("second")]
  second.answers.eth_call = RECEIVED
  first.send({ nonce: 1, to: new FakeEvm("elsewhere").chainID })
  first.send({ nonce: 2, to: second.chainID })
  const { relayer, states } = relayerOf(first, second)
  const lost = "1 failed this node hosts no chain with this blockchain ID"
  await relayer.relay()
  expect(states()).toEqual([lost, "2 delivered"])
  await relayer.relay()
  expect(states()).toEqual([lost, "2 delivered"])
})

test.each([
  ["eth_getCode", null],
  ["eth_call", 5],
  ["eth_getBalance", "ten"],
])("a VM that answers %s with %j fails the message", async (method, answer) => {
  const [first, second] = [new FakeEvm("first"), new FakeEvm("second")]
  second.answers[method] = answer
  first.send({ nonce: 1, to: second.chainID })
  const { relayer, faults, states } = relayerOf(first, second)
  await relayer.relay()
  expect(states()).toEqual([`1 failed ${method}: the VM gives no answer of this method`])
  expect(faults).toEqual([])
})

test("a fault fails the message whose delivery it ends, and no other one", async () => {
  const [first, second] = [new FakeEvm("first"), new FakeEvm("second")]
  second.answers.eth_call = () => {
    second.answers.eth_call = RECEIVED
    throw new Error("a fault")
  }
  for (const nonce of [1, 2]) first.send({ nonce, to: second.chainID })
  const { relayer, faults, states } = relayerOf(first, second)
  await relayer.relay()
  expect(states()).toEqual(["1 failed the delivery met a fault of this node: a fault", "2 delivered"])
  expect(faults).toEqual([new Error("a fault")])
})

test.each([["a word"], [[{}]], [[{ address: "0x", topics: [], data: "0x", blockNumber: 1 }]]])(
  "a VM that answers eth_getLogs with %j is no fault, and its messages are read later",
  async (answer) => {
    const [first, second] = [new FakeEvm("first"), new FakeEvm("second")]
    second.answers.eth_call = RECEIVED
    first.send({ nonce: 1, to: second.chainID })
    first.answers.eth_getLogs = answer
    const { relayer, faults, states } = relayerOf(first, second)
    await relayer.relay()
    expect(states()).toEqual([])
    delete first.answers.eth_getLogs
    await relayer.relay()
    expect(states()).toEqual(["1 delivered"])
    expect(faults).toEqual([])
  },
)

test("messages of a chain that has lost blocks are read from its new blocks on, also after a restart of the node", async () => {
  const [first, second] = [new FakeEvm("first"), new FakeEvm("second")]
  second.answers.eth_call = RECEIVED
  for (const nonce of [1, 2, 3]) first.send({ nonce, to: second.chainID })
  const { relayer, states } = relayerOf(first, second)
  await relayer.relay()
  // The VM was killed, and has lost all blocks.
  first.blocks = []
  relayer.wake(first.chainID)
  for (const nonce of [4, 5]) first.send({ nonce, to: second.chainID })
  await relayer.relay()
  const delivered = [1, 2, 3, 4, 5].map((nonce) => `${nonce} delivered`)
  expect(states()).toEqual(delivered)
  first.blocks = []
  const restarted = relayerOf(first, second)
  restarted.relayer.wake(first.chainID)
  first.send({ nonce: 6, to: second.chainID })
  await restarted.relayer.relay()
  expect(restarted.states()).toEqual(["6 delivered"])
})

test("messages of blocks that a chain has lost are forgotten, unless they were delivered", async () => {
  const [first, second] = [new FakeEvm("first"), new FakeEvm("second")]
  const answers = [RECEIVED, NOTHING, NOTHING]
  second.answers.eth_call = () => answers.shift()
  for (const nonce of [1, 2, 3]) first.send({ nonce, to: second.chainID })
  const { relayer, states } = relayerOf(first, second)
  await relayer.relay()
  first.blocks = first.blocks.slice(0, 2)
  relayer.wake(first.chainID)
  const reason = `the contract at ${contract} on the destination is not one of ICM`
  expect(states()).toEqual(["1 delivered", `2 failed ${reason}`])
})

test("a start of a chain while its messages are read reads them again", async () => {
  const [first, second] = [new FakeEvm("first"), new FakeEvm("second")]
  second.answers.eth_call = RECEIVED
  first.send({ nonce: 1, to: second.chainID })
  const { relayer, states } = relayerOf(first, second)
  first.answers.eth_blockNumber = () => {
    delete first.answers.eth_blockNumber
    void relayer.relay()
    throw new GrpcError(grpcStatus.unavailable, "the connection is lost")
  }
  await relayer.relay()
  expect(states()).toEqual(["1 delivered"])
})

test("a VM that does not answer is given up after 30 seconds, and the messages of the other chains are delivered", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const [first, second, third] = [new FakeEvm("first"), new FakeEvm("second"), new FakeEvm("third")]
  second.answers.eth_call = RECEIVED
  for (const chain of [first, third]) chain.send({ nonce: 1, to: second.chainID })
  third.send({ nonce: 2, to: first.chainID })
  first.hangs = true
  const { relayer, faults, states } = relayerOf(first, second, third)
  const relayed = relayer.relay()
  await vi.advanceTimersByTimeAsync(60_000)
  await relayed
  expect(states()).toEqual(["1 delivered", "2 failed its VM has not answered for 30 seconds"])
  expect(faults).toEqual([])
  first.hangs = false
  first.answers.eth_call = RECEIVED
  const again = relayer.relay()
  await vi.advanceTimersByTimeAsync(1000)
  await again
  expect(states()).toEqual(["1 delivered", "2 delivered", "1 delivered"])
})
