import { expect } from "vitest"
import { toHexText } from "../../src/core/types/hexText.js"

/** A JSON-RPC answer: its result or its error. */
export interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown }
}

/** One of two nodes with the same chain, and the facts about it. */
export interface DialectNode {
  ask(path: string, method: string, params?: object): Promise<Answer>
  get(path: string): Promise<Response>
  /** Sends the same call twice in one request. */
  askTwice(path: string, method: string): Promise<unknown>
  /** An L1 with two validators. */
  readonly l1: string
  readonly owner: string
  /** A reward that was refused for its validator's uptime. */
  readonly refusedReward: string
}

/** A call that the two dialects answer differently. */
export interface Row {
  readonly topic: string
  readonly contract: string
  readonly avalanchego: string
  /** The part of the answer that differs. */
  of(node: DialectNode): Promise<unknown>
  readonly expected: { readonly contract: unknown; readonly avalanchego: unknown }
}

const P = "/ext/bc/P"
const resultOf = async (answer: Promise<Answer>) => (await answer).result as Record<string, unknown>
const ABSENT = "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe"

export const rows: readonly Row[] = [
  {
    topic: "an error",
    contract:
      "a number by its kind, Serac's sentence, and in `data` a stable code ([the error reference](reference.md#errors)) with details",
    avalanchego: "-32000, AvalancheGo's text, `data` null",
    of: ({ ask }) => ask(P, "platform.getSubnet", { subnetID: ABSENT }),
    expected: {
      contract: expect.objectContaining({
        error: { code: -32000, message: expect.any(String), data: expect.objectContaining({ code: "platform.unknown_subnet" }) },
      }),
      avalanchego: expect.objectContaining({
        error: { code: -32000, message: "not found", data: null },
      }),
    },
  },
  {
    topic: "several calls in one request",
    contract: "one answer for each call",
    avalanchego: "one error",
    of: async ({ askTwice }) => Array.isArray(await askTwice(P, "platform.getHeight")),
    expected: { contract: true, avalanchego: false },
  },
  {
    topic: "`platform.getValidatorsAt`",
    contract: "`{validators: {NodeID: weight}}`, and `publicKeys` beside it",
    avalanchego: "`{NodeID: {publicKey, weight}}`",
    of: async ({ ask, l1 }) =>
      Object.keys(await resultOf(ask(P, "platform.getValidatorsAt", { height: "proposed", subnetID: l1 }))),
    expected: {
      contract: ["validators", "publicKeys"],
      avalanchego: expect.arrayContaining([expect.stringMatching(/^NodeID-/)]),
    },
  },
  {
    topic: "`platform.getTimestamp`",
    contract: "`time` and `timestamp` with the same value",
    avalanchego: "`timestamp`",
    of: async ({ ask }) => Object.keys(await resultOf(ask(P, "platform.getTimestamp"))),
    expected: { contract: ["time", "timestamp"], avalanchego: ["timestamp"] },
  },
  {
    topic: "a validator in `platform.getCurrentValidators`",
    contract: "also has `stakeAmount`, `delegationFeeRate` and `signer.proofOfPosession`, which older clients read",
    avalanchego: "has none of them",
    async of({ ask }) {
      const { validators } = await resultOf(ask(P, "platform.getCurrentValidators"))
      const [first] = validators as [Record<string, object>]
      return ["stakeAmount" in first, "delegationFeeRate" in first, "proofOfPosession" in (first.signer as object)]
    },
    expected: { contract: [true, true, true], avalanchego: [false, false, false] },
  },
  {
    topic: "a validator of an L1",
    contract: "has the `txID` of the transaction that added it",
    avalanchego: "has no `txID`",
    async of({ ask, l1 }) {
      const { validators } = await resultOf(ask(P, "platform.getCurrentValidators", { subnetID: l1 }))
      return (validators as object[]).map((validator) => "txID" in validator)
    },
    expected: { contract: [true, true], avalanchego: [false, false] },
  },
  {
    topic: "`platform.getTotalStake` of another subnet",
    contract: "`weight`",
    avalanchego: "`stake` and `weight`",
    of: ({ ask, l1 }) => resultOf(ask(P, "platform.getTotalStake", { subnetID: l1 })),
    expected: { contract: { weight: "200" }, avalanchego: { stake: "200", weight: "200" } },
  },
  {
    topic: "`platform.getSubnet` and `getSubnets` of an L1",
    contract: "empty `controlKeys` and threshold 0, because no key controls an L1; `owner` has the owner before the conversion",
    avalanchego: "`controlKeys` and `threshold` of the owner before the conversion",
    async of({ ask, l1, owner }) {
      const { controlKeys, threshold, owner: shown } = await resultOf(ask(P, "platform.getSubnet", { subnetID: l1 }))
      return [controlKeys, threshold, (shown as { addresses: string[] } | undefined)?.addresses[0] === owner]
    },
    expected: { contract: [[], "0", true], avalanchego: [[expect.any(String)], "1", false] },
  },
  {
    topic: "empty lists in `getSubnets.subnets`, `getBalance.utxoIDs`",
    contract: "`[]`",
    avalanchego: "`null`",
    of: async ({ ask }) => (await resultOf(ask(P, "platform.getSubnets", { ids: [ABSENT] }))).subnets,
    expected: { contract: [], avalanchego: null },
  },
  {
    topic: "`platform.getValidatorFeeConfig`",
    contract: "also has `targetPerSecond`",
    avalanchego: "does not have `targetPerSecond`",
    of: async ({ ask }) => (await resultOf(ask(P, "platform.getValidatorFeeConfig"))).targetPerSecond,
    expected: { contract: 50_000, avalanchego: undefined },
  },
  {
    topic: "`platform.getTxStatus` of a reward that was refused",
    contract: "`Dropped`, with a reason",
    avalanchego: "`Aborted`",
    of: async ({ ask, refusedReward: txID }) => (await resultOf(ask(P, "platform.getTxStatus", { txID }))).status,
    expected: { contract: "Dropped", avalanchego: "Aborted" },
  },
  {
    topic: "a block as JSON",
    contract: "always has `txs`",
    avalanchego: "some have `tx`, or neither",
    async of({ ask }) {
      // The last block is the option that refused a reward.
      const { height } = await resultOf(ask(P, "platform.getHeight"))
      const { block } = await resultOf(ask(P, "platform.getBlockByHeight", { height, encoding: "json" }))
      return "txs" in (block as object)
    },
    expected: { contract: true, avalanchego: false },
  },
  {
    topic: "`startIndex.utxo` of `platform.getUTXOs`",
    contract: "CB58 or hex",
    avalanchego: "CB58 only",
    async of({ ask, owner }) {
      const startIndex = { address: owner, utxo: toHexText(new Uint8Array(32)) }
      return (await ask(P, "platform.getUTXOs", { addresses: [owner], startIndex })).error === undefined
    },
    expected: { contract: true, avalanchego: false },
  },
  {
    topic: "a password of the keystore",
    contract: "8 characters of four kinds are enough (`Password1!`)",
    avalanchego: "zxcvbn decides, as it did in AvalancheGo",
    of: async ({ ask }) =>
      (await ask("/ext/keystore", "keystore.createUser", { username: "alice", password: "Password1!" })).error === undefined,
    expected: { contract: true, avalanchego: false },
  },
  {
    topic: "`info.getNodeVersion.version`",
    contract: "`serac/…`",
    avalanchego: "`avalanchego/1.15.0`",
    of: async ({ ask }) => (await resultOf(ask("/ext/info", "info.getNodeVersion"))).version,
    expected: { contract: expect.stringMatching(/^serac\/\d/), avalanchego: "avalanchego/1.15.0" },
  },
  {
    topic: "`info.uptime` with a `subnetID`",
    contract: "the uptime on that subnet",
    avalanchego: "the parameter is ignored",
    of: async ({ ask }) => (await ask("/ext/info", "info.uptime", { subnetID: ABSENT })).error === undefined,
    expected: { contract: false, avalanchego: true },
  },
  {
    topic: "`/ext/openrpc.json`",
    contract: "describes the API, as `rpc.discover` does in both dialects",
    avalanchego: "404",
    of: async ({ ask, get }) => [(await ask(P, "rpc.discover")).error === undefined, (await get("/ext/openrpc.json")).status],
    expected: { contract: [true, 200], avalanchego: [true, 404] },
  },
]
