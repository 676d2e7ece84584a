import { expect, test } from "vitest"
import { peerIdentity } from "../../../test/fixtures/peerIdentity.js"
import { ChainMaker } from "../../../test/simulator/chainMaker.js"
import { simulatedGenesis } from "../../../test/simulator/simulatedGenesis.js"
import { hexToBytes, toHex } from "../lib/bytes.js"
import { type ID, idOf } from "../types/id.js"
import { answerAboutChain, chitsOf } from "./responder.js"

const keys = ["one", "two"].map(peerIdentity)
const maker = new ChainMaker(simulatedGenesis(keys.map(({ nodeID }) => nodeID)), keys)
const blocks = [0n, 6n, 12n].map((seconds) => maker.next(1_750_000_000n + seconds))
const [first, , last] = blocks as [(typeof blocks)[0], (typeof blocks)[0], (typeof blocks)[0]]
const { chain } = maker

/** Two undecided blocks above the last accepted one. */
const [above, tip] = [idOf(Uint8Array.of(4)), idOf(Uint8Array.of(5))] as [ID, ID]
const tree: Parameters<typeof chitsOf>[2] = {
  preference: tip,
  preferredAt: (height) =>
    new Map([
      [4n, above],
      [5n, tip],
    ] as const).get(height as 4n),
}

const votesOf = (message: ReturnType<typeof chitsOf>) => {
  const { preferredId, preferredIdAtHeight, acceptedId, acceptedHeight } = (message as Extract<typeof message, { case: "chits" }>)
    .value
  return [
    toHex(preferredId as Uint8Array),
    toHex(preferredIdAtHeight as Uint8Array),
    toHex(acceptedId as Uint8Array),
    acceptedHeight,
  ]
}

test.each([
  ["an old height: the block that was accepted there", 1n, first.id],
  ["the last accepted height", 3n, last.id],
  ["the next height: the undecided block that it prefers there", 4n, above],
  ["a height above its preferred branch: the tip", 9n, tip],
])("a validator votes for what it prefers; asked for %s", (_name, requestedHeight, atHeight) => {
  expect(votesOf(chitsOf({ requestId: 1, requestedHeight }, chain, tree))).toEqual([tip, atHeight, last.id, 3n])
})

test("a node that only follows votes for what is decided", () => {
  expect(votesOf(chitsOf({ requestId: 1, requestedHeight: 2n }, chain))).toEqual([last.id, blocks[1]?.id, last.id, 3n])
  expect(votesOf(chitsOf({ requestId: 1, requestedHeight: 9n }, chain))).toEqual([last.id, last.id, last.id, 3n])
})

test("an answer has as many ancestors as the node sends, and at least the block that was asked for", () => {
  const value = { chainId: new Uint8Array(32), requestId: 1, deadline: 1n, containerId: hexToBytes(last.id), engineType: 2 }
  const countOf = (maxAncestors: number, isOutOfTime: () => boolean) => {
    const answer = answerAboutChain({ case: "getAncestors", value } as never, chain, { maxAncestors, isOutOfTime })
    return (answer as { value: { containers: unknown[] } }).value.containers.length
  }
  const never = () => false
  expect([countOf(2000, never), countOf(2, never), countOf(2000, () => true)]).toEqual([4, 2, 1])
})

test("an answer names the accepted ones of the first 2,048 IDs, and fewer when its time is up", () => {
  const unknown = (i: number) => hexToBytes(i.toString(16).padStart(64, "c"))
  const answerTo = (containerIds: Uint8Array[], isOutOfTime = () => false) => {
    const value = { chainId: new Uint8Array(32), requestId: 1, deadline: 1n, containerIds }
    const answer = answerAboutChain({ case: "getAccepted", value } as never, chain, { maxAncestors: 1, isOutOfTime })
    return (answer as { value: { containerIds: Uint8Array[] } } | undefined)?.value.containerIds.map(toHex)
  }
  const [one, two] = [hexToBytes(first.id), hexToBytes(last.id)]
  expect(answerTo([one, unknown(1), two, one])).toEqual([first.id, last.id])
  const many = Array.from({ length: 60_000 }, (_, i) => unknown(i))
  expect(answerTo([one, ...many.slice(0, 2_046), two])).toEqual([first.id, last.id])
  expect(answerTo([one, ...many, two])).toEqual([first.id])
  let looks = 0
  expect(answerTo([one, ...many.slice(0, 10), two], () => ++looks > 5)).toEqual([first.id])
  expect(looks).toBe(6)
  expect(answerTo([...many, new Uint8Array(31)])).toBeUndefined()
})
