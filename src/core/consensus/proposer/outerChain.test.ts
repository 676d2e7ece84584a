import { expect, test } from "vitest"
import { peerIdentity } from "../../../../test/fixtures/peerIdentity.js"
import { refusal } from "../../../../test/refusal.js"
import { ChainMaker, outerChainOf } from "../../../../test/simulator/chainMaker.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import { parseCertificate } from "../../../platform/certificate.js"
import { encode } from "../../codec/decode.js"
import { equalBytes } from "../../lib/bytes.js"
import { Invalid, valueOrInvalid } from "../../lib/invalid.js"
import { proposerContainer } from "../../types/proposervm.js"
import { type OuterBlock, readOuterBlock, VERIFIED_BEFORE } from "./outerBlock.js"

const validators = Array.from({ length: 3 }, (_, i) => peerIdentity(`validator ${i}`))
const network = simulatedGenesis(validators.map(({ nodeID }) => nodeID))
const START = 1_750_000_000n

test("a chain of wrapped blocks is verified, accepted, stored and found again byte for byte", () => {
  const maker = new ChainMaker(network, validators)
  const blocks = Array.from({ length: 6 }, (_, i) => maker.next(START + BigInt(i * 7)))
  expect(blocks.map(({ wrapper }) => wrapper?.kind).slice(0, 2)).toEqual(["ProposerVMBlock", "ProposerVMGraniteBlock"])
  const store = network.newStore()
  const chain = outerChainOf(network, store)
  for (const { bytes } of blocks) {
    const block = readOuterBlock(bytes, { parseCertificate })
    chain.verify(block, { nowSeconds: START + 100n, isBootstrapping: false })
    chain.accept(block.id)
  }
  chain.chain.flush()
  const again = outerChainOf(network, store)
  expect(again.lastAccepted.id).toBe(blocks.at(-1)?.id)
  for (const { height, id, bytes, inner } of blocks) {
    expect([again.idAt(height), again.heightOf(id), again.heightOf(inner.id)]).toEqual([id, height, undefined])
    expect(equalBytes(again.bytesOf(id) as Uint8Array, bytes)).toBe(true)
  }
  const genesisID = again.idAt(0n)
  expect([genesisID, again.heightOf(genesisID as never)]).toEqual([network.genesis.block.id, 0n])
})

test("a verified block is forgotten when another one is accepted at its height, also by a node that bootstraps", () => {
  const [block, sibling] = [START, START + 1n].map((time) => new ChainMaker(network, validators).make(time)) as [
    OuterBlock,
    OuterBlock,
  ]
  const chain = outerChainOf(network, network.newStore())
  for (const each of [block, sibling]) chain.verify(each, { nowSeconds: START + 50n, isBootstrapping: true })
  expect(chain.processing(sibling.id)?.id).toBe(sibling.id)
  chain.accept(block.id)
  expect([chain.processing(sibling.id), chain.bytesOf(sibling.id)]).toEqual([undefined, undefined])
})

/** The next block of a chain of two, with a change in its wrapper. Changes break the signature, which is checked elsewhere. */
function refusedWith(change: object, nowSeconds = START + 50n): Invalid | undefined {
  const maker = new ChainMaker(network, validators)
  maker.next(START)
  maker.next(START + 7n)
  const { wrapper, bytes } = maker.make(START + 14n)
  const changed = Object.keys(change).length === 0 ? bytes : encode(proposerContainer, { ...wrapper, ...change } as never)
  const block = readOuterBlock(changed, VERIFIED_BEFORE)
  const result = valueOrInvalid(() => maker.chain.verify(block, { nowSeconds, isBootstrapping: false }))
  return result instanceof Invalid ? result : undefined
}

const epoch = { number: 1n, pChainHeight: 0n, startTime: START }

test.each([
  ["a time before its parent's", { timestamp: START + 6n }, "consensus.time_decreased"],
  ["a time too far ahead", { timestamp: START + 61n }, "consensus.time_too_far", "clock"],
  ["a lower height than its parent's", { pChainHeight: 0n }, "consensus.height_decreased"],
  ["a height that is not accepted", { pChainHeight: 3n }, "consensus.height_unknown", "height"],
  ["another epoch", { epoch: { ...epoch, number: 2n } }, "consensus.wrong_epoch"],
  ["the kind before Granite", { kind: "ProposerVMBlock" }, "consensus.wrong_wrapper_kind"],
  ["no signature", { certificate: new Uint8Array(0), signature: new Uint8Array(0) }, "consensus.unsigned"],
  ["another parent", { parentID: "11".repeat(32) }, "consensus.unknown_parent", "height"],
] as const)("a wrapper with %s is refused", (_name, change, code, dependsOn = undefined) => {
  expect(refusedWith(change)).toMatchObject({ code, dependsOn })
})

test("a wrapper with the certificate of a validator whose slot it is not is refused", () => {
  const codes = validators.map(({ certificate }) => refusedWith({ certificate })?.code ?? "accepted")
  expect(codes.sort()).toEqual(["accepted", "consensus.wrong_proposer", "consensus.wrong_proposer"])
})

test("the proposers of a block's children are found once, and so is the owner of a slot", () => {
  const maker = new ChainMaker(network, validators)
  const { chain } = maker
  maker.next(START)
  const windower = chain.windowerFor(chain.parentFor(chain.lastAccepted))
  expect(chain.windowerFor(chain.parentFor(chain.lastAccepted))).toBe(windower)
  const owners = Array.from({ length: 200 }, (_, slot) => windower.ownerOf(BigInt(slot)))
  expect(new Set(owners).size).toBe(3)
  expect(Array.from({ length: 200 }, (_, slot) => windower.ownerOf(BigInt(slot)))).toEqual(owners)
  maker.next(START + 7n)
  expect(chain.windowerFor(chain.parentFor(chain.lastAccepted))).not.toBe(windower)
})

test("a changed signature makes the bytes no block at all, and the first wrapper must be there and unsigned", () => {
  const maker = new ChainMaker(network, validators)
  const first = maker.next(START)
  const { bytes } = maker.make(START + 7n)
  const broken = bytes.slice()
  broken[broken.length - 1]! ^= 1
  expect(() => readOuterBlock(broken, { parseCertificate })).toThrow()
  const chain = outerChainOf(network, network.newStore())
  const bare: OuterBlock = readOuterBlock(first.inner.bytes, { parseCertificate })
  const code = refusal(() => chain.verify(bare, { nowSeconds: START, isBootstrapping: true })).code
  expect(code).toBe("consensus.expected_wrapper")
})
