import { expect, test } from "vitest"
import { expectJudged, judgedTest } from "../../test/judge.js"
import { encode } from "../core/codec/decode.js"
import { hexToBytes, toHex } from "../core/lib/bytes.js"
import { AVAX } from "../core/networks/params.js"
import * as warpSigning from "../core/rules/warpSigning.js"
import { l1WeightOf } from "../core/state/l1Validators.js"
import { tables } from "../core/state/tables.js"
import { type ID, idOfName, type NodeID, nodeIDText, P_CHAIN_ID } from "../core/types/id.js"
import { encodeJustification } from "../core/types/warp/justification.js"
import { decodeSignedMessage, unsignedMessage } from "../core/types/warp/message.js"
import { encodePayload } from "../core/types/warp/payload.js"
import {
  encodePChainMessage,
  initialValidationIDOf,
  type PChainMessage,
  registrationIDOf,
} from "../core/types/warp/pChainMessage.js"
import { bls } from "../platform/backends.js"
import { Actor } from "./actor.fixture.js"
import { type Devnet, openDevnet } from "./devnet.fixture.js"
import type { DevIdentity } from "./keys/identities.js"
import type { WarpSigner } from "./keys/warpSigner.js"
import { devTables } from "./tables.js"

const auth = { kind: "Input" as const, signatureIndices: [0] }
const manager = new Uint8Array(20).fill(9)

interface L1 {
  readonly actor: Actor
  readonly subnetID: ID
  readonly chainID: ID
  readonly nodes: readonly DevIdentity[]
}

/** A subnet with a chain, converted to an L1 of these balances (nAVAX), all of weight 100. */
async function newL1(devnet: Devnet, balances: readonly bigint[]): Promise<L1> {
  const { dev } = devnet
  const actor = await Actor.withFunds(devnet, 1, 1_000n * AVAX)
  const subnetID = await actor.issue(actor.make("CreateSubnetTx", { owner: actor.owner }))
  const chain = { subnetID, chainName: "l1", vmID: idOfName("l1vm"), fxIDs: [], genesisData: new Uint8Array(1) }
  const chainID = await actor.issue(actor.make("CreateChainTx", { ...chain, subnetAuthorization: auth }))
  const nodes: DevIdentity[] = []
  for (const _ of balances) nodes.push(await dev.newIdentity())
  nodes.sort((a, b) => (a.nodeID < b.nodeID ? -1 : 1))
  const owner = { threshold: 1, addresses: [actor.key.address] }
  const validators = nodes.map(({ nodeID, publicKey, proofOfPossession }, i) => ({
    nodeID: hexToBytes(nodeID),
    weight: 100n,
    balance: balances[i]!,
    signer: { publicKey, proofOfPossession },
    remainingBalanceOwner: owner,
    deactivationOwner: owner,
  }))
  const conversion = { subnetID, chainID, address: manager, validators, subnetAuthorization: auth }
  const total = balances.reduce((sum, balance) => sum + balance, 0n)
  await actor.issue(actor.make("ConvertSubnetToL1Tx", conversion, total))
  return { actor, subnetID, chainID, nodes }
}

/** Makes a message of the L1's manager to the P-Chain, signed by the L1's validators. */
function managerMessage({ dev, chain }: Devnet, { chainID }: L1, message: PChainMessage): Uint8Array {
  const payload = encodePayload({ kind: "AddressedCall", sourceAddress: manager, payload: encodePChainMessage(message) })
  const { networkID } = chain.status.rules
  return dev.signWarpMessage({ message: encode(unsignedMessage, { networkID, sourceChainID: chainID, payload }) })
}

judgedTest("an L1 lives from its conversion to a validator that runs out of balance", async (judge) => {
  const devnet = await openDevnet()
  const { dev, store, chain } = devnet
  // A nAVAX a second: the first lasts an hour, the others for long.
  const l1 = await newL1(devnet, [3_600n, AVAX, AVAX])
  const { actor, subnetID, nodes } = l1
  const [first, second] = [initialValidationIDOf(subnetID, 0), initialValidationIDOf(subnetID, 1)]
  const balanceOf = (id: ID) => store.latest.get(tables.l1Validators, id)?.endAccumulatedFee

  const node = await dev.newIdentity()
  const owner = { threshold: 1, addresses: [actor.key.address] }
  const registration = {
    kind: "RegisterL1Validator" as const,
    subnetID,
    nodeID: hexToBytes(node.nodeID),
    blsPublicKey: node.publicKey,
    expiry: chain.now() + 3600n,
    remainingBalanceOwner: owner,
    disableOwner: owner,
    weight: 50n,
  }
  const message = managerMessage(devnet, l1, registration)
  const proofOfPossession = node.proofOfPossession
  await actor.issue(actor.make("RegisterL1ValidatorTx", { balance: 5_000n, proofOfPossession, message }, 5_000n))
  const registered = registrationIDOf(registration)
  expect(l1WeightOf(store.latest, subnetID)).toBe(350n)

  const weight = managerMessage(devnet, l1, { kind: "L1ValidatorWeight", validationID: second, nonce: 1n, weight: 120n })
  await actor.issue(actor.make("SetL1ValidatorWeightTx", { message: weight }))
  expect(l1WeightOf(store.latest, subnetID)).toBe(370n)

  expect(await dev.setTime({ to: dev.now() + 3_599n })).toMatchObject({ blocks: 0, deactivated: 0 })
  expect(await dev.setTime({ to: dev.now() + 1n })).toMatchObject({ blocks: 1, deactivated: 1 })
  expect([balanceOf(first), store.latest.get(tables.activeL1Count, null)]).toEqual([0n, 3n])

  await actor.issue(actor.make("IncreaseL1ValidatorBalanceTx", { validationID: first, balance: 10_000n }, 10_000n))
  expect(store.latest.get(tables.activeL1Count, null)).toBe(4n)
  const before = actor.balance
  await actor.issue(actor.make("DisableL1ValidatorTx", { validationID: second, disableAuthorization: auth }))
  expect(actor.balance - before).toBeGreaterThan(AVAX - 100_000n)

  expect(await dev.setTime({ to: dev.now() + 86_400n })).toMatchObject({ blocks: 2, deactivated: 2 })
  expect([balanceOf(first), balanceOf(registered)]).toEqual([0n, 0n])
  expect(nodes.map(({ nodeID }) => nodeID as NodeID).length).toBe(3)
  judge(() => expectJudged(store))
})

judgedTest(
  "Warp messages hold at the last accepted height by default, and with --warp-lag only when the epoch has caught up",
  async (judge) => {
    for (const hasWarpLag of [false, true]) {
      const devnet = await openDevnet({ choices: { hasWarpLag } })
      const { dev, chain, store, machine } = devnet
      const l1 = await newL1(devnet, [AVAX])
      const { height } = chain.status.lastAccepted
      const message = {
        kind: "L1ValidatorWeight",
        validationID: initialValidationIDOf(l1.subnetID, 0),
        nonce: 1n,
        weight: 7n,
      } as const
      if (hasWarpLag) {
        expect([chain.status.wrappers.proposedHeight(), chain.status.wrappers.currentEpoch()]).toEqual([
          0n,
          { pChainHeight: 0n, number: 2n, startTime: 1_721_019_600n },
        ])
        expect(() => managerMessage(devnet, l1, message)).toThrow(expect.objectContaining({ code: "producer.signers_too_new" }))
        // The window of recent blocks empties in 30 seconds; the next blocks end the epoch and begin one at the new height.
        await machine.pass(31)
        expect(chain.status.wrappers.proposedHeight()).toBe(height)
        await dev.mine({ blocks: 1, filler: true })
        await machine.pass(31)
        await dev.mine({ blocks: 1, filler: true })
        expect(chain.status.wrappers.currentEpoch().pChainHeight).toBe(height + 1n)
      } else {
        expect([chain.status.wrappers.proposedHeight(), chain.status.wrappers.currentEpoch().pChainHeight]).toEqual([
          height,
          height,
        ])
      }
      const tx = l1.actor.make("SetL1ValidatorWeightTx", { message: managerMessage(devnet, l1, message) })
      await l1.actor.issue(tx)
      expect(l1WeightOf(store.latest, l1.subnetID)).toBe(7n)
      judge(() => expectJudged(store))
    }
  },
)

test("signers can be named one by one, and a missing key or too little weight is refused", async () => {
  const devnet = await openDevnet()
  const l1 = await newL1(devnet, [AVAX, AVAX, AVAX])
  const { dev, chain } = devnet
  const { networkID } = chain.status.rules
  const message = (sourceChainID: ID, network = networkID) =>
    encode(unsignedMessage, { networkID: network, sourceChainID, payload: new Uint8Array(1) })
  const sign = (message: Uint8Array, subnetID?: ID, signers?: readonly WarpSigner[]) => () =>
    dev.signWarpMessage({ message, subnetID, signers })
  const [a, b, c] = l1.nodes as [DevIdentity, DevIdentity, DevIdentity]
  const signers = [{ nodeID: a.nodeID }, { secret: b.secret }, { nodeID: c.nodeID }]
  const all = dev.signWarpMessage({ message: message(l1.chainID), signers })
  expect(all).toEqual(dev.signWarpMessage({ message: message(l1.chainID) }))
  expect(sign(message(l1.chainID), undefined, [{ nodeID: a.nodeID }, { secret: b.secret }])).toThrow(
    expect.objectContaining({
      code: "rules.warp_weight",
      data: expect.objectContaining({ signed: 200n, total: 300n, missing: [nodeIDText(c.nodeID)] }),
    }),
  )
  const stranger = "ab".repeat(20) as NodeID
  expect(sign(message(l1.chainID), undefined, [{ nodeID: stranger }])).toThrow(
    expect.objectContaining({ code: "producer.unknown_signer" }),
  )
  expect(sign(message(l1.chainID), undefined, [{ secret: new Uint8Array(32).fill(5) }])).toThrow(
    expect.objectContaining({ code: "producer.unknown_signer" }),
  )
  expect(sign(message(l1.chainID, 1), undefined, undefined)).toThrow(expect.objectContaining({ code: "producer.wrong_network" }))
  expect(sign(message("77".repeat(32) as ID), undefined, undefined)).toThrow(
    expect.objectContaining({ code: "rules.unknown_chain" }),
  )
  // The five local validators sign for the primary network, and an L1's for a message from anywhere.
  const pChain = "00".repeat(32) as ID
  expect(dev.signWarpMessage({ message: message(pChain) }).length).toBeGreaterThan(100)
  expect(dev.signWarpMessage({ message: message(pChain), subnetID: l1.subnetID })).not.toEqual(
    dev.signWarpMessage({ message: message(pChain) }),
  )
})

test("a message of the P-Chain about an L1 is signed by the L1's validators, and any other by the primary network", async () => {
  const devnet = await openDevnet()
  const { dev, chain } = devnet
  const l1 = await newL1(devnet, [AVAX, AVAX, AVAX])
  const { actor, subnetID } = l1
  const validationID = initialValidationIDOf(subnetID, 0)
  const { conversionID } = chain.status.view.get(tables.conversions, subnetID)!
  const signersOf = (message: PChainMessage, justification?: Uint8Array) => {
    const payload = encodePayload({
      kind: "AddressedCall",
      sourceAddress: new Uint8Array(0),
      payload: encodePChainMessage(message),
    })
    const { networkID } = chain.status.rules
    const unsigned = encode(unsignedMessage, { networkID, sourceChainID: P_CHAIN_ID, payload })
    const justified = justification && { ...warpSigning, bytes: justification }
    const signed = dev.signWarpMessage({ message: unsigned, justification: justified })
    return [...decodeSignedMessage(signed).signature.signers]
  }
  expect(signersOf({ kind: "SubnetToL1Conversion", id: conversionID })).toEqual([0b111])
  expect(signersOf({ kind: "L1ValidatorRegistration", validationID, registered: true })).toEqual([0b111])
  expect(signersOf({ kind: "L1ValidatorWeight", validationID, nonce: 1n, weight: 5n })).toEqual([0b111])
  expect(signersOf({ kind: "SubnetToL1Conversion", id: idOfName("unknown") })).toEqual([0b11111])
  const unknown = { kind: "L1ValidatorRegistration", validationID: idOfName("unknown"), registered: false } as const
  expect(signersOf(unknown)).toEqual([0b11111])

  // A validator that was removed, and one whose registration has expired.
  const removal = managerMessage(devnet, l1, { kind: "L1ValidatorWeight", validationID, nonce: 1n, weight: 0n })
  await actor.issue(actor.make("SetL1ValidatorWeightTx", { message: removal }))
  const removed = { kind: "L1ValidatorRegistration", validationID, registered: false } as const
  expect(signersOf(removed)).toEqual([0b11])
  expect(signersOf(removed, encodeJustification({ kind: "conversion", subnetID, index: 0 }))).toEqual([0b11])
  const owner = { threshold: 1, addresses: [actor.key.address] }
  const { nodeID, publicKey: blsPublicKey } = await dev.newIdentity()
  const owners = { remainingBalanceOwner: owner, disableOwner: owner }
  const node = { subnetID, nodeID: hexToBytes(nodeID), blsPublicKey }
  const registration = { kind: "RegisterL1Validator", ...node, expiry: chain.now() - 1n, ...owners, weight: 1n } as const
  const expired = { kind: "L1ValidatorRegistration", validationID: registrationIDOf(registration), registered: false } as const
  expect(signersOf(expired)).toEqual([0b11111])
  const message = encodePChainMessage(registration)
  expect(signersOf(expired, encodeJustification({ kind: "registration", message }))).toEqual([0b11])
})

test("no block is written with an L1's validator for which nobody can sign", async () => {
  const { dev, chain, store } = await openDevnet()
  const unsigned: bigint[] = []
  chain.onAccepted((event) => {
    if (event.kind !== "block") return
    for (const [, { publicKey }] of store.latest.rows(tables.l1Validators)) {
      const key = toHex(bls().compressKey(publicKey))
      if (store.latest.get(devTables.identities, key) === undefined) unsigned.push(event.block.height)
    }
  })
  const files = { chainName: "l1", vmID: idOfName("l1vm"), genesisData: new Uint8Array(1), managerAddress: manager }
  const { subnetID } = await dev.createL1({ validators: 3, weight: 1n, balance: AVAX, ...files })
  await dev.registerL1Validator({ subnetID, weight: 1n, balance: AVAX, node: undefined })
  expect([[...store.latest.rows(tables.l1Validators)].length, unsigned]).toEqual([4, []])
  const made = () => [...store.latest.rows(devTables.identities)].length
  const refused = dev.createL1({ validators: 3, weight: 0n, balance: AVAX, ...files })
  await expect(refused).rejects.toMatchObject({ code: "tx.zero_l1_weight" })
  expect(made()).toBe(4)
})
