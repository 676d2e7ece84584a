import { create, fromBinary, toBinary } from "@bufbuild/protobuf"
import { expect, test } from "vitest"
import { changeOf, firstUnspent, localNetwork, payment } from "../../../../test/fixtures/longChain.js"
import { seededRandom } from "../../../../test/simulator/random.js"
import { blockOf } from "../../blocks/block.js"
import { Mempool } from "../../chain/mempool.js"
import { concatBytes, hexToBytes, toHex } from "../../lib/bytes.js"
import { BloomFilter, bloomSize } from "../../p2p/bloomFilter.js"
import type { OutgoingMessage } from "../../p2p/message.js"
import { PullGossipRequestSchema, PullGossipResponseSchema, PushGossipSchema } from "../../p2p/proto/app_pb.js"
import { emptyView } from "../../state/view.js"
import { EMPTY_ID, type NodeID } from "../../types/id.js"
import { type AppContext, answerApp, PullThrottle, pullLimit } from "./answerApp.js"
import { openEnvelope } from "./envelope.js"
import { pushedTxs } from "./txGossip.js"
import { TxPull } from "./txPull.js"
import { TxRelay } from "./txRelay.js"

const { rules } = localNetwork()
const first = payment(firstUnspent, rules)
const second = payment(changeOf(first), rules)
const validator = "aa".repeat(20) as NodeID
const stranger = "bb".repeat(20) as NodeID
const metered = { gas: 100n, burned: 1000n }

function poolWith(...txs: (typeof first)[]): Mempool {
  const pool = new Mempool()
  for (const tx of txs) pool.add(tx, metered)
  return pool
}

function ask(
  appBytes: Uint8Array,
  changes: Partial<AppContext> = {},
  from = validator,
  deadline = 1n,
): OutgoingMessage | undefined {
  const context: AppContext = {
    networkID: 12345,
    state: emptyView,
    sign: () => new Uint8Array(96),
    pool: poolWith(first, second),
    pulls: new PullThrottle(),
    validators: [{ nodeID: validator }],
    now: 0,
    ...changes,
  }
  return answerApp(from, { case: "appRequest", value: { requestId: 5, appBytes, deadline } } as never, context)
}

function pull(known: readonly string[], salt = new Uint8Array(32)): Uint8Array {
  const filter = BloomFilter.empty(bloomSize(10, 0.001), new Uint8Array(128).fill(7), salt)
  for (const id of known) filter.add(hexToBytes(id))
  const request = create(PullGossipRequestSchema, { salt, filter: filter.toBytes() })
  return concatBytes(Uint8Array.of(0), toBinary(PullGossipRequestSchema, request))
}

const errorCodeOf = (message: OutgoingMessage | undefined) => (message?.case === "appError" ? message.value.errorCode : undefined)

test("a validator that pulls gets the transactions that its filter does not hold", () => {
  const answer = ask(pull([first.id]))
  expect(answer).toMatchObject({ case: "appResponse", value: { requestId: 5 } })
  const { gossip } = fromBinary(PullGossipResponseSchema, (answer as { value: { appBytes: Uint8Array } }).value.appBytes)
  expect(gossip.map(toHex)).toEqual([toHex(second.bytes)])
})

test("other requests are refused with the codes of AvalancheGo", () => {
  expect(errorCodeOf(ask(pull([]), {}, stranger))).toBe(-3)
  expect(errorCodeOf(ask(pull([], new Uint8Array(31))))).toBe(-1)
  expect(errorCodeOf(ask(Uint8Array.of(0, 0xff)))).toBe(-1)
  expect(errorCodeOf(ask(Uint8Array.of(1)))).toBe(-2)
  expect(errorCodeOf(ask(new Uint8Array(0)))).toBe(-2)
  expect(errorCodeOf(ask(Uint8Array.of(2, 0xff)))).toBe(-1)
  expect(ask(pull([]), {}, validator, 0n)).toBeUndefined()
})

test("a validator pulls no oftener than its share of 2400 times an hour", () => {
  const pulls = new PullThrottle()
  const limit = Math.ceil(pullLimit(100))
  expect(limit).toBe(44)
  const taken = Array.from({ length: 50 }, (_, i) => pulls.take(validator, 100, i)).filter(Boolean)
  expect(taken.length).toBe(limit)
  expect(pulls.take(validator, 100, 3_600_000)).toBe(true)
  expect(errorCodeOf(ask(pull([]), { pulls, validators: Array(100).fill({ nodeID: validator }), now: 3_600_000 }))).toBe(-4)
})

test("a transaction that was issued is pushed at once, again after 30 s, and no longer once it is accepted", () => {
  const pool = poolWith(first)
  const sent: string[] = []
  const relay = new TxRelay({
    pool,
    random: seededRandom(1),
    validators: () => [{ nodeID: validator, weight: 9n }],
    send(nodeID, message) {
      const { appBytes } = (message as Extract<OutgoingMessage, { case: "appGossip" }>).value
      const { handler, body } = openEnvelope(appBytes as Uint8Array) as { handler: bigint; body: Uint8Array }
      sent.push(`${nodeID.slice(0, 2)} ${handler} ${fromBinary(PushGossipSchema, body).gossip.length}`)
      return true
    },
  })
  relay.issued(first.id)
  relay.tick(1_000)
  relay.tick(2_000)
  expect(sent).toEqual(["aa 0 1"])
  relay.tick(31_000)
  expect(sent).toEqual(["aa 0 1", "aa 0 1"])
  relay.accepted(blockOf({ kind: "BanffStandardBlock", time: 1n, parentID: EMPTY_ID, height: 1n, txs: [first] }))
  relay.tick(90_000)
  expect([sent.length, relay.size, pool.size]).toEqual([2, 0, 0])
})

test("a transaction whose UTXO another one took is dropped", () => {
  const pool = poolWith(first)
  const relay = new TxRelay({ pool, random: seededRandom(1), validators: () => [], send: () => true })
  relay.issued(first.id)
  const rival = payment({ ...firstUnspent, amount: firstUnspent.amount - 1n }, rules)
  relay.accepted(blockOf({ kind: "BanffStandardBlock", time: 1n, parentID: EMPTY_ID, height: 1n, txs: [rival] }))
  expect([pool.size, pool.dropOf(first.id)?.reason]).toEqual([0, "tx conflicts with other tx"])
})

test("a validator asks another one for what it does not have, and takes the answer once", () => {
  const asked: { readonly to: NodeID; readonly requestId: number; readonly filter: BloomFilter }[] = []
  const puller = new TxPull({
    pool: poolWith(first),
    random: seededRandom(3),
    validators: () => [{ nodeID: validator, weight: 1n }],
    send(to, message) {
      const { requestId, appBytes } = (message as Extract<OutgoingMessage, { case: "appRequest" }>).value
      const { handler, body } = openEnvelope(appBytes as Uint8Array) as { handler: bigint; body: Uint8Array }
      const { salt, filter } = fromBinary(PullGossipRequestSchema, body)
      expect([handler, salt.length]).toEqual([0n, 32])
      asked.push({ to, requestId: requestId as number, filter: BloomFilter.parse(filter, salt) })
      return true
    },
  })
  puller.tick(1_000)
  puller.tick(2_400)
  expect(asked.map(({ to, filter }) => [to, filter.has(hexToBytes(first.id)), filter.has(hexToBytes(second.id))])).toEqual([
    [validator, true, false],
  ])
  const { requestId } = asked[0] as (typeof asked)[0]
  const answer = toBinary(PullGossipResponseSchema, create(PullGossipResponseSchema, { gossip: [second.bytes] }))
  expect(puller.answered(stranger, requestId, answer, 2_500)).toEqual([])
  expect(puller.answered(validator, requestId + 1, answer, 2_500)).toEqual([])
  expect(puller.answered(validator, requestId, answer, 2_500).map(toHex)).toEqual([toHex(second.bytes)])
  expect(puller.answered(validator, requestId, answer, 2_500)).toEqual([])
  puller.tick(2_500)
  expect(puller.answered(validator, requestId + 1, answer, 12_501)).toEqual([])
})

test("pushed transactions are read from messages of the right protocol alone", () => {
  const push = toBinary(PushGossipSchema, create(PushGossipSchema, { gossip: [first.bytes, second.bytes] }))
  expect(pushedTxs(concatBytes(Uint8Array.of(0), push)).map(toHex)).toEqual([toHex(first.bytes), toHex(second.bytes)])
  expect(pushedTxs(concatBytes(Uint8Array.of(1), push))).toEqual([])
  expect(pushedTxs(Uint8Array.of(0, 0xff))).toEqual([])
  expect(pushedTxs(new Uint8Array(0))).toEqual([])
})
