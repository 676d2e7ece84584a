import type { Call } from "../../client/client.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { FundedKey } from "../../producer/chainHosting.js"
import { askQuantity, EvmRefusal } from "../../relay/evmRpc.js"
import type { EvmChain, WantedTransaction } from "./evmChain.js"

/** What a word works with. */
export interface WordContext {
  readonly evm: EvmChain
  /** Calls the methods of this node. */
  readonly call: Call
  /** The tool whose test node a client takes this one for, `hardhat` or `anvil`; omitted if it asks for none. */
  readonly tool?: string | undefined
  /** Aborted when the client has gone. */
  readonly ending: AbortSignal
}

/** A refusal of a word, with the code of JSON-RPC. */
export class WordRefusal extends Error {
  readonly code: number

  constructor(message: string, code = -32_602) {
    super(message)
    this.code = code
  }
}

/** A method that tools of the EVM expect of a test node. */
interface EvmWord {
  readonly names: readonly string[]
  run(params: readonly unknown[], context: WordContext): Promise<unknown>
}

/** The method by which Hardhat's helpers find out whether a node is one for tests. It is a word only at the address of a tool. */
export const TOOL_VERSION = "web3_clientVersion"

/** The words that change the time, the blocks and the accounts of a private chain. Hardhat, Anvil and Ganache gave them their names. */
export const evmWords: readonly EvmWord[] = [
  {
    names: ["evm_snapshot", "anvil_snapshot"],
    run: async (_, { call }) => hex((await call("dev.snapshot", { name: "evm_snapshot" })).id),
  },
  {
    names: ["evm_revert", "anvil_revert"],
    run: ([id], { call }) => revert(call, Number(quantityOf(id, "the number of a snapshot"))),
  },
  {
    names: ["evm_increaseTime", "anvil_increaseTime"],
    run: ([seconds], { call }) => increaseTime(call, quantityOf(seconds, "seconds")),
  },
  {
    names: ["evm_setNextBlockTimestamp", "anvil_setNextBlockTimestamp", "hardhat_setNextBlockTimestamp"],
    run: async ([time], context) => {
      await setNextTime(context, quantityOf(time, "a time"))
      return null
    },
  },
  { names: ["evm_mine"], run: ([given], context) => mineAt(context, given) },
  { names: ["hardhat_mine", "anvil_mine"], run: ([count, interval], context) => mine(context, count, interval) },
  { names: ["evm_setAutomine", "anvil_setAutomine"], run: ([isOn], { call }) => setAutomine(call, isOn) },
  {
    names: ["hardhat_getAutomine", "anvil_getAutomine"],
    run: async (_, { call }) => (await call("dev.status")).blockMode.mode === "auto",
  },
  { names: ["evm_setIntervalMining", "anvil_setIntervalMining"], run: ([given], { call }) => setInterval(call, given) },
  { names: ["eth_accounts"], run: async (_, { evm }) => evm.keys().map(({ address }) => address) },
  { names: ["eth_sendTransaction"], run: ([tx], { evm }) => sendTransaction(evm, tx) },
  { names: [TOOL_VERSION], run: async (_, { evm, tool }) => `${tool}/serac/${String(await evm.rpc(TOOL_VERSION, []))}` },
  { names: ["anvil_nodeInfo"], run: (_, { evm }) => nodeInfo(evm) },
  { names: ["hardhat_metadata"], run: (_, context) => metadata(context) },
  {
    names: ["hardhat_setBalance", "anvil_setBalance"],
    run: ([address, balance], { evm }) => raiseBalance(evm, String(address), quantityOf(balance, "a balance")),
  },
]

/** What Serac has in the place of words that change the state of a chain without a transaction, which a real VM does not let anyone do. */
const instead: readonly (readonly [names: RegExp, sentence: string])[] = [
  [/_setCode$/, "deploy the contract by a transaction, or give it in the genesis of an L1"],
  [/_(setStorageAt|setNonce|setCoinbase)$/, "give the state in the genesis of an L1, or change it by transactions"],
  [
    /mpersonate/,
    "the VM accepts signed transactions only; eth_accounts names the keys that this node signs with, and a genesis can fund others",
  ],
  [/_(reset|setRpcUrl)$/, "an L1 has no fork of another chain; evm_snapshot and evm_revert go back, and dev.reset begins again"],
  [/_(dumpState|loadState)$/, "serac backup copies all chains, and evm_snapshot marks a state"],
  [/BaseFee|GasPrice|BlockGasLimit/, "the fees of a chain are in its genesis (feeConfig), or set by its fee manager"],
  [/imestamp|Time/, "evm_increaseTime and evm_setNextBlockTimestamp move the clock of all chains, and dev.setTime freezes it"],
]

const GENERAL =
  "serac has evm_snapshot, evm_revert, evm_increaseTime, evm_setNextBlockTimestamp, evm_mine and others: docs/evm.md lists them"

/** Returns the word of a method; `undefined` if the VM answers it. Words of the same families that Serac does not have are refused with what it has. */
export function wordOf(method: string, tool?: string): EvmWord["run"] | undefined {
  if (method === TOOL_VERSION && tool === undefined) return undefined
  const word = evmWords.find(({ names }) => names.includes(method))
  if (word || !/^(evm|hardhat|anvil)_/.test(method)) return word?.run
  const [, sentence = GENERAL] = instead.find(([names]) => names.test(method)) ?? []
  return async () => {
    throw new WordRefusal(`${method} is not there, because the chain runs in its real VM: ${sentence}`, -32_601)
  }
}

const hex = (value: bigint | number): string => `0x${value.toString(16)}`

/** Reads a number, or a text of a decimal or hexadecimal number. Throws `WordRefusal`. */
function quantityOf(value: unknown, what: string): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === "string" && /^(0x[0-9a-f]+|\d+)$/i.test(value)) return BigInt(value)
  throw new WordRefusal(`${what} was expected, a number that is not negative: got ${JSON.stringify(value) ?? "nothing"}`)
}

async function revert(call: Call, id: number): Promise<boolean> {
  try {
    await call("dev.revert", { id })
    return true
  } catch (error) {
    if (error instanceof Invalid && error.code === "producer.unknown_snapshot") return false
    throw error
  }
}

/** Moves the clock of all chains. The next block shows it. Returns the seconds by which the clock is ahead of the machine's. */
async function increaseTime(call: Call, seconds: bigint): Promise<number> {
  await call("dev.advanceTime", { seconds, l1Blocks: false })
  return Number((await call("dev.status")).offset)
}

/** Stops the clock of all chains at a time until the next block of the chain, which has this time. */
async function setNextTime({ call, evm }: WordContext, to: bigint): Promise<void> {
  await evm.settled()
  const { frozen } = await call("dev.status")
  await call("dev.setTime", { to, frozen: true, l1Blocks: false })
  if (frozen) return
  evm.afterNextBlock(async () => {
    const { clock } = await call("dev.status")
    // The chains may have been reverted since, with their clock.
    await call("dev.setTime", { to: clock, frozen: false, l1Blocks: false }).catch(() => {})
  })
}

async function mineAt(context: WordContext, given: unknown): Promise<string> {
  const { timestamp = given, blocks } = (typeof given === "object" && given !== null ? given : {}) as {
    timestamp?: unknown
    blocks?: unknown
  }
  if (timestamp !== undefined && timestamp !== null && typeof timestamp !== "object") {
    await setNextTime(context, quantityOf(timestamp, "a time"))
  }
  await mine(context, blocks, undefined)
  return "0x0"
}

/** The largest number of blocks that a call makes. Each is a payment. */
const MAX_BLOCKS = 1000n

/** Makes blocks, each by a payment of nothing. With an interval each has a time so many seconds after the one before. */
async function mine({ evm, call, ending }: WordContext, count: unknown, interval: unknown): Promise<null> {
  const blocks = count === undefined || count === null ? 1n : quantityOf(count, "a number of blocks")
  const seconds = interval === undefined || interval === null ? 0n : quantityOf(interval, "seconds")
  if (blocks > MAX_BLOCKS)
    throw new WordRefusal(`at most ${MAX_BLOCKS} blocks are made at a time, because each needs a transaction: got ${blocks}`)
  for (let made = 0n; made < blocks && !ending.aborted; made++) {
    if (made > 0n && seconds > 0n) await call("dev.advanceTime", { seconds, l1Blocks: false })
    await evm.makeBlock()
  }
  return null
}

async function setAutomine(call: Call, isOn: unknown): Promise<boolean> {
  if (typeof isOn !== "boolean") throw new WordRefusal(`true or false was expected: got ${JSON.stringify(isOn) ?? "nothing"}`)
  await call("dev.setBlockMode", { mode: isOn ? "auto" : "manual" })
  return true
}

/** The smallest number that is an interval in milliseconds, as Hardhat has them. A smaller one is in seconds, as Anvil has them. */
const MILLISECONDS_FROM = 100

async function setInterval(call: Call, given: unknown): Promise<boolean> {
  const interval = Number(quantityOf(Array.isArray(given) ? given[0] : given, "an interval"))
  const seconds = interval >= MILLISECONDS_FROM ? interval / 1000 : interval
  const { mode } = (await call("dev.status")).blockMode
  if (seconds > 0) await call("dev.setBlockMode", { mode: "interval", seconds })
  else if (mode === "interval") await call("dev.setBlockMode", { mode: "manual" })
  return true
}

/** Returns the key of an address. Throws `WordRefusal` with those that there are. */
function keyOf(evm: EvmChain, address: unknown): FundedKey {
  const key = evm.keys().find((each) => each.address.toLowerCase() === String(address).toLowerCase())
  if (!key) throw new WordRefusal(`the node has no key of ${String(address)}: eth_accounts names those that it has`)
  return key
}

async function sendTransaction(evm: EvmChain, given: unknown): Promise<string> {
  if (typeof given !== "object" || given === null) throw new WordRefusal("a transaction was expected")
  const tx = given as Readonly<Record<string, unknown>>
  const of = (...names: readonly string[]) => {
    const value = names.map((name) => tx[name]).find((each) => each !== undefined && each !== null)
    return value === undefined ? undefined : quantityOf(value, names[0] as string)
  }
  const textOf = (...names: readonly string[]) => {
    const value = names.map((name) => tx[name]).find((each) => each !== undefined && each !== null)
    if (value === undefined) return undefined
    if (typeof value === "string" && /^0x([0-9a-f]{2})*$/i.test(value)) return value
    throw new WordRefusal(`${names[0]} is not hex with 0x`)
  }
  const wanted: WantedTransaction = {
    ...definedOf({ nonce: of("nonce"), gas: of("gas", "gasLimit"), gasPrice: of("maxFeePerGas", "gasPrice") }),
    ...definedOf({ tip: of("maxPriorityFeePerGas"), value: of("value"), to: textOf("to"), data: textOf("data", "input") }),
    ...definedOf({ accessList: tx.accessList as WantedTransaction["accessList"] }),
  }
  return evm.send(keyOf(evm, tx.from), wanted)
}

/** Leaves out members without a value. */
function definedOf<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

interface EvmBlock {
  readonly number: string
  readonly hash: string
  readonly timestamp: string
  readonly gasLimit: string
  readonly baseFeePerGas?: string
}

const latestOf = async ({ rpc }: EvmChain): Promise<EvmBlock> =>
  (await rpc("eth_getBlockByNumber", ["latest", false])) as EvmBlock

async function nodeInfo(evm: EvmChain) {
  const { number, hash, timestamp, gasLimit, baseFeePerGas = "0x0" } = await latestOf(evm)
  const environment = {
    baseFee: baseFeePerGas,
    chainId: Number(evm.chainID),
    gasLimit,
    gasPrice: await evm.rpc("eth_gasPrice", []),
  }
  const block = { currentBlockNumber: number, currentBlockTimestamp: Number(timestamp), currentBlockHash: hash }
  return { ...block, hardFork: "cancun", transactionOrder: "fees", environment, forkConfig: {} }
}

async function metadata({ evm, call }: WordContext) {
  const { number, hash } = await latestOf(evm)
  const { serac } = (await call("info.getNodeVersion")) as { serac?: string }
  const { nodeID } = await call("info.getNodeID")
  return {
    clientVersion: `Serac/${serac ?? "private"}`,
    chainId: Number(evm.chainID),
    instanceId: nodeID,
    latestBlockNumber: Number(number),
    latestBlockHash: hash,
  }
}

/** Raises a balance by a payment of a funded key. Throws `WordRefusal` where it would have to fall. */
async function raiseBalance(evm: EvmChain, address: string, balance: bigint): Promise<boolean> {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new WordRefusal("an address was expected")
  const present = await askQuantity(evm.rpc, "eth_getBalance", [address, "latest"])
  if (balance < present) {
    throw new WordRefusal(
      `a balance can only be raised, by a payment of a funded account: ${address} has ${present} wei`,
      -32_000,
    )
  }
  if (balance === present) return true
  const payer = await evm.payer()
  if (payer.address.toLowerCase() === address.toLowerCase())
    throw new EvmRefusal(`${address} is the account that pays, so it cannot be paid`)
  await evm.untilIncluded(await evm.send(payer, { to: address, value: balance - present, gas: 21_000n }))
  return true
}
