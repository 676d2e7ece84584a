import { expect } from "vitest"
import { decode } from "../../../src/core/codec/decode.js"
import { fromHexText } from "../../../src/core/types/hexText.js"
import { idText, parseID } from "../../../src/core/types/id.js"
import { topLevelUtxo } from "../../../src/core/types/utxo.js"
import { initialValidationIDOf } from "../../../src/core/types/warp/pChainMessage.js"
import { registration, signed } from "../l1Messages.js"
import { AVAX, clockOf, DAY } from "../made.js"
import type { PreparedTx } from "./prepared.js"
import { send, type World } from "./world.js"

const MANAGER = "0x00000000000000000000000000000000000000aa"
const VM_ID = "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy"
const ELSEWHERE = "Invalid network ID: 12345"

const validatorsOf = async ({ client }: World, subnetID: string) =>
  (await client.pChain.getCurrentValidators({ subnetID })).validators

/**
 * Prepares, signs and issues a transaction of each kind, waits for it and checks its effect. Each uses objects that those before it
 * created.
 */
export const runs: Readonly<Record<PreparedTx, (world: World) => Promise<void>>> = {
  async prepareBaseTxn(world) {
    const { wallet, client, alice, bob } = world
    const outputs = [{ addresses: [alice, bob], amount: 7n * AVAX, threshold: 2 }]
    const txID = await send(world, await wallet.pChain.prepareBaseTxn({ outputs }))
    const { utxos } = await client.pChain.getUTXOs({ addresses: [bob] })
    const owned = utxos.map((text) => decode(topLevelUtxo, fromHexText(text))).filter((utxo) => idText(utxo.txID) === txID)
    expect(owned.map(({ output }) => output)).toMatchObject([{ amount: 7n * AVAX, threshold: 2 }])
  },
  async prepareCreateSubnetTxn(world) {
    const { wallet, client, alice, made } = world
    for (const name of ["permissioned", "l1"]) {
      const subnetOwners = { addresses: [alice], threshold: 1 }
      const subnetID = await send(world, await wallet.pChain.prepareCreateSubnetTxn({ subnetOwners }))
      expect(await client.pChain.getSubnet({ subnetID })).toMatchObject({ isPermissioned: true, controlKeys: [alice] })
      made.keep(name, subnetID)
    }
  },
  async prepareCreateChainTxn(world) {
    const { wallet, client, made } = world
    const subnetId = made.id("l1")
    const chain = { subnetId, vmId: VM_ID, chainName: "My L1", genesisData: { alloc: {} }, subnetAuth: [0] }
    const chainID = await send(world, await wallet.pChain.prepareCreateChainTxn(chain))
    expect(await client.pChain.validates({ subnetID: subnetId })).toEqual({ blockchainIDs: [chainID] })
    made.keep("l1 chain", chainID)
  },
  async prepareAddPermissionlessValidatorTxn(world) {
    const { wallet, client, dev, alice, made } = world
    const node = await made.identity("validator", dev)
    const prepared = await wallet.pChain.prepareAddPermissionlessValidatorTxn({
      nodeId: node.nodeID,
      stakeInAvax: 2_000n * AVAX,
      end: (await clockOf(dev)) + 30n * DAY,
      publicKey: node.publicKey,
      signature: node.proofOfPossession,
      rewardAddresses: [alice],
      delegatorRewardAddresses: [alice],
      delegatorRewardPercentage: 2.5,
    })
    const txID = await send(world, prepared)
    const { validators } = await client.pChain.getCurrentValidators({ nodeIDs: [node.nodeID] })
    expect(validators).toMatchObject([{ txID, delegationFee: "2.5000", stakeAmount: String(2_000n * AVAX), connected: true }])
    made.keep("validation", txID)
  },
  async prepareAddPermissionlessDelegatorTxn(world) {
    const { wallet, client, dev, alice, made } = world
    const { nodeID } = await made.identity("validator", dev)
    const end = (await clockOf(dev)) + 20n * DAY
    const stake = { nodeId: nodeID, stakeInAvax: 25n * AVAX, end, rewardAddresses: [alice] }
    const txID = await send(world, await wallet.pChain.prepareAddPermissionlessDelegatorTxn(stake))
    const { validators } = await client.pChain.getCurrentValidators({ nodeIDs: [nodeID] })
    expect(validators[0]?.delegators).toMatchObject([{ txID, stakeAmount: String(25n * AVAX), endTime: String(end) }])
  },
  async prepareAddSubnetValidatorTxn(world) {
    const { wallet, dev, made } = world
    const { nodeID } = await made.identity("validator", dev)
    const end = (await clockOf(dev)) + 10n * DAY
    const member = { subnetId: made.id("permissioned"), nodeId: nodeID, weight: 42n, end, subnetAuth: [0] }
    await send(world, await wallet.pChain.prepareAddSubnetValidatorTxn(member))
    expect(await validatorsOf(world, made.id("permissioned"))).toMatchObject([{ nodeID, weight: "42" }])
  },
  async prepareRemoveSubnetValidatorTxn(world) {
    const { wallet, dev, made } = world
    const { nodeID } = await made.identity("validator", dev)
    const subnetId = made.id("permissioned")
    await send(world, await wallet.pChain.prepareRemoveSubnetValidatorTxn({ subnetId, nodeId: nodeID, subnetAuth: [0] }))
    expect(await validatorsOf(world, subnetId)).toEqual([])
  },
  async prepareConvertSubnetToL1Txn(world) {
    const { wallet, client, dev, alice, made } = world
    const { nodeID, publicKey, proofOfPossession } = await made.identity("first", dev)
    const owner = { addresses: [alice], threshold: 1 }
    const [subnetId, blockchainId] = [made.id("l1"), made.id("l1 chain")]
    const first = {
      nodeId: nodeID,
      nodePoP: { publicKey, proofOfPossession },
      weight: 100n,
      initialBalanceInAvax: 5n * AVAX,
      remainingBalanceOwner: owner,
      deactivationOwner: owner,
    }
    const conversion = { subnetId, blockchainId, managerContractAddress: MANAGER, subnetAuth: [0], validators: [first] }
    await send(world, await wallet.pChain.prepareConvertSubnetToL1Txn(conversion))
    const shown = { isPermissioned: false, managerChainID: blockchainId, managerAddress: MANAGER }
    expect(await client.pChain.getSubnet({ subnetID: subnetId })).toMatchObject(shown)
    made.keep("first of the L1", idText(initialValidationIDOf(parseID(subnetId), 0)))
  },
  async prepareRegisterL1ValidatorTxn(world) {
    const { wallet, client, dev, alice, made } = world
    const node = await made.identity("registered", dev)
    const expiry = (await clockOf(dev)) + 3_600n
    const { message, validationID } = registration(made.id("l1"), node, alice, { expiry })
    const warp = await signed(dev, { chainID: made.id("l1 chain"), address: MANAGER }, message)
    const registered = { initialBalanceInAvax: 2n * AVAX, blsSignature: node.proofOfPossession, message: warp }
    await send(world, await wallet.pChain.prepareRegisterL1ValidatorTxn(registered))
    const shown = await client.pChain.getL1Validator({ validationID: idText(validationID) })
    expect(shown).toMatchObject({ nodeID: node.nodeID, weight: 30n })
    made.keep("registered", idText(validationID))
  },
  async prepareSetL1ValidatorWeightTxn(world) {
    const { wallet, client, dev, made } = world
    const validationID = made.id("registered")
    const order = { kind: "L1ValidatorWeight", validationID: parseID(validationID), nonce: 5n, weight: 33n } as const
    const message = await signed(dev, { chainID: made.id("l1 chain"), address: MANAGER }, order)
    await send(world, await wallet.pChain.prepareSetL1ValidatorWeightTxn({ message }))
    expect(await client.pChain.getL1Validator({ validationID })).toMatchObject({ weight: 33n, minNonce: 6n })
  },
  async prepareIncreaseL1ValidatorBalanceTxn(world) {
    const { wallet, client, made } = world
    const validationId = made.id("registered")
    await send(world, await wallet.pChain.prepareIncreaseL1ValidatorBalanceTxn({ validationId, balanceInAvax: 1n * AVAX }))
    const { balance } = await client.pChain.getL1Validator({ validationID: validationId })
    expect(3n * AVAX - (balance ?? 0n)).toBeLessThan(1_000_000n)
  },
  async prepareDisableL1ValidatorTxn(world) {
    const { wallet, client, made } = world
    const validationId = made.id("first of the L1")
    await send(world, await wallet.pChain.prepareDisableL1ValidatorTxn({ validationId, disableAuth: [0] }))
    expect(await client.pChain.getL1Validator({ validationID: validationId })).toMatchObject({ balance: 0n })
  },
  async prepareExportTxn({ wallet, alice }) {
    const exportedOutputs = [{ addresses: [alice], amount: AVAX }]
    await expect(wallet.pChain.prepareExportTxn({ destinationChain: "X", exportedOutputs })).rejects.toThrow(ELSEWHERE)
  },
  async prepareImportTxn({ wallet, alice }) {
    const importedOutput = { addresses: [alice] }
    await expect(wallet.pChain.prepareImportTxn({ sourceChain: "X", importedOutput })).rejects.toThrow(ELSEWHERE)
  },
}
