import { abiBytes } from "../../test/l1/board.js"
import { icmPayload } from "../../test/l1/messenger.js"
import { encode } from "../core/codec/decode.js"
import { hexToBytes, utf8 } from "../core/lib/bytes.js"
import { type ID, idOfName } from "../core/types/id.js"
import { unsignedMessage } from "../core/types/warp/message.js"
import { encodePayload } from "../core/types/warp/payload.js"
import { SEND_WARP_MESSAGE, WARP_PRECOMPILE } from "../evm/warpLogs.js"
import { vmError } from "../vmhost/errors.js"
import { RELAYER, type RelayedChain } from "./ports.js"

export const contract = `0x${"0c".repeat(20)}`

/** A message of an ICM contract between two chains. */
export interface FakeMessage {
  readonly nonce: number
  readonly from: ID
  readonly to: ID
  readonly contract?: string
  readonly relayers?: readonly string[]
}

/** Returns the log of the block that sends a message. */
export function logOf({ nonce, from, to, relayers = [], contract: sender = contract }: FakeMessage) {
  const payload = icmPayload({
    ...{ nonce: BigInt(nonce), sender, destination: to, receiver: sender, gasLimit: 1000n, relayers, text: "hello" },
  })
  const call = encodePayload({ kind: "AddressedCall", sourceAddress: hexToBytes(sender.slice(2)), payload })
  const bytes = encode(unsignedMessage, { networkID: 12345, sourceChainID: from, payload: call })
  return { address: WARP_PRECOMPILE, topics: [SEND_WARP_MESSAGE], data: `0x${abiBytes(bytes)}` }
}

/** The answers of a destination that accepts every message. */
export const accepting: Readonly<Record<string, unknown>> = {
  eth_getCode: "0x00",
  eth_call: `0x${"0".repeat(64)}`,
  eth_getBalance: "0x1",
  eth_getTransactionCount: "0x5",
  eth_gasPrice: "0x1",
  eth_sendRawTransaction: "0x99",
  eth_getTransactionReceipt: { status: "0x1", logs: [] },
  eth_getTransactionByHash: {},
}

interface LogFilter {
  readonly fromBlock: string
  readonly toBlock: string
}

/** A chain of the EVM without a VM. Each block sends one message. */
export class FakeEvm {
  readonly name: string
  readonly chainID: ID
  readonly #notes = new Map<string, Uint8Array>()
  isRunning = true
  /** True if calls are not answered until they are ended. */
  hangs = false
  /** The messages of the blocks from height 1 on. */
  blocks: FakeMessage[] = []
  /** Answers that differ from those of a destination that accepts every message. A function gets the parameters. */
  readonly answers: Record<string, unknown> = {}

  constructor(name: string) {
    this.name = name
    this.chainID = idOfName(name)
  }

  /** Sends a message in a block of its own. */
  send(message: Omit<FakeMessage, "from">): void {
    this.blocks.push({ ...message, from: this.chainID })
  }

  get hosted(): RelayedChain {
    const report = () => ({ state: this.isRunning ? "running" : "restarting", height: BigInt(this.blocks.length) })
    const handler = () => {
      if (!this.isRunning) throw vmError("vm.stopped")
      return {
        call: async (_: unknown, { body }: { readonly body: Uint8Array }, { signal }: { readonly signal: AbortSignal }) => {
          if (this.hangs) await new Promise((_, reject) => signal.addEventListener("abort", reject))
          return { code: 200, headers: [], body: this.#answer(body) }
        },
      }
    }
    const plugin = { report, handler, contextHeight: () => 1n }
    const genesis = utf8(JSON.stringify({ config: { chainId: 99_001 }, alloc: { [RELAYER.address]: {} } }))
    return {
      record: { name: this.name, chainID: this.chainID },
      plugin,
      database: {
        note: (name: string) => this.#notes.get(name),
        setNote: (name: string, value: Uint8Array) => this.#notes.set(name, value),
      },
      genesis,
    } as unknown as RelayedChain
  }

  #answer(body: Uint8Array): Uint8Array {
    const { method, params } = JSON.parse(Buffer.from(body).toString()) as { method: string; params: readonly LogFilter[] }
    const own = { ...accepting, eth_blockNumber: hex(this.blocks.length), eth_getLogs: this.#logs.bind(this), ...this.answers }[
      method
    ]
    return utf8(JSON.stringify({ jsonrpc: "2.0", id: 1, result: typeof own === "function" ? own(params) : own }))
  }

  #logs([filter]: readonly LogFilter[]) {
    const [from, to] = [Number(filter?.fromBlock), Number(filter?.toBlock)]
    const place = (index: number) => ({ blockNumber: hex(index + 1), transactionHash: "0x01" })
    return this.blocks.map((message, index) => ({ ...logOf(message), ...place(index) })).slice(from - 1, to)
  }
}

const hex = (value: number) => `0x${value.toString(16)}`
