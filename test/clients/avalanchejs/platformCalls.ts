import { type pvm, utils } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import { AVAX, DAY, PRIMARY_NETWORK } from "../made.js"
import type { LibraryCall } from "./calls.js"
import { NODE_ID } from "./infoCalls.js"
import type { World } from "./world.js"

const platform = (method: keyof pvm.PVMApi, title: string, run: LibraryCall["run"]): LibraryCall => ({
  api: "PVMApi",
  method,
  title,
  run,
})

/** A method that AvalancheGo does not have is refused with the requested name; Go's methods begin with a capital. */
const unknown = ({ either }: World, method: string) =>
  either(
    `there is no such method at this path (method: platform.${method})`,
    `rpc: can't find method "platform.${method.replace(/^g/, "G")}"`,
  )

/** The calls of `PVMApi`. */
export const platformCalls: readonly LibraryCall[] = [
  platform("getHeight", "the height of the last block", async ({ wallet, dev }) => {
    expect(await wallet.platform.getHeight()).toEqual({ height: String((await dev("dev.status")).height) })
  }),
  platform("getTimestamp", "the last block's time", async ({ wallet, dev }) => {
    const { timestamp } = await wallet.platform.getTimestamp()
    expect(timestamp).toBe((await dev("dev.status")).chainTime)
  }),
  platform("getCurrentSupply", "the supply, above that of genesis by what stakers may earn", async ({ wallet }) => {
    const { supply } = await wallet.platform.getCurrentSupply()
    expect(BigInt(supply)).toBeGreaterThan(360_000_000n * AVAX)
  }),
  platform("getMinStake", "the least stakes", async ({ wallet }) => {
    expect(await wallet.platform.getMinStake()).toEqual({
      minValidatorStake: String(2_000n * AVAX),
      minDelegatorStake: String(25n * AVAX),
    })
  }),
  platform("getStakingAssetID", "AVAX", async ({ wallet }) => {
    const { avaxAssetID: assetID } = wallet.context
    expect(await wallet.platform.getStakingAssetID({ subnetID: PRIMARY_NETWORK })).toEqual({ assetID })
  }),
  platform("getTotalStake", "all that is staked, and the weight of a subnet", async ({ wallet, made, either }) => {
    const stake = String(10_000_000n * AVAX + 4_025n * AVAX)
    expect(await wallet.platform.getTotalStake(PRIMARY_NETWORK)).toEqual({ stake, weight: stake })
    expect(await wallet.platform.getTotalStake(made.id("l1"))).toEqual({ weight: "233", ...either({}, { stake: "233" }) })
  }),
  platform("getFeeConfig", "what gas is made of and what it costs", async ({ wallet }) => {
    expect(await wallet.platform.getFeeConfig()).toEqual({
      weights: { 0: 1, 1: 1000, 2: 1000, 3: 4 },
      maxCapacity: 1_000_000n,
      maxPerSecond: 100_000n,
      targetPerSecond: 50_000n,
      minPrice: 1n,
      excessConversionConstant: 2_164_043n,
    })
  }),
  platform("getFeeState", "what gas there is, and its price", async ({ wallet }) => {
    const { capacity, excess, price, timestamp } = await wallet.platform.getFeeState()
    // The fee state of a block built now: the gas capacity has grown since the last block.
    expect(capacity).toBeGreaterThan(0n)
    expect(capacity).toBeLessThanOrEqual(1_000_000n)
    expect(excess).toBeGreaterThanOrEqual(0n)
    expect(price).toBe(1n)
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(Date.parse((await wallet.platform.getTimestamp()).timestamp))
  }),
  platform("getBalance", "what an address owns, locked or not, and in which outputs", async ({ wallet, c }) => {
    const { balance, unlocked, lockedStakeable, lockedNotStakeable, utxoIDs } = await wallet.platform.getBalance({
      addresses: [c.address],
    })
    // 100,000 AVAX at the start, and 6 AVAX of the output that two of its three owners spent.
    expect([balance, unlocked, lockedStakeable, lockedNotStakeable]).toEqual([100_006n * AVAX, 100_006n * AVAX, 0n, 0n])
    const { utxos } = await wallet.platform.getUTXOs({ addresses: [c.address] })
    expect(utxoIDs.map(({ txID, outputIndex }) => [txID, Number(outputIndex)]).sort()).toEqual(
      utxos.map(({ utxoId }) => [utxoId.txID.toString(), utxoId.outputIdx.value()]).sort(),
    )
  }),
  platform("getUTXOs", "UTXOs, page by page", async ({ wallet, a, c }) => {
    const addresses = [a.address, c.address]
    const all = await wallet.platform.getUTXOs({ addresses })
    const seen: string[] = []
    let page = await wallet.platform.getUTXOs({ addresses, limit: 1 })
    for (; page.utxos.length > 0; page = await wallet.platform.getUTXOs({ addresses, limit: 1, startIndex: page.endIndex })) {
      seen.push(...page.utxos.map((utxo) => utxo.ID()))
    }
    expect(seen.sort()).toEqual(all.utxos.map((utxo) => utxo.ID()).sort())
  }),
  platform("getStake", "what addresses have staked, with the outputs", async ({ wallet, a, b }) => {
    const { staked, stakedOutputs } = await wallet.platform.getStake({ addresses: [a.address, b.address] })
    expect([staked, stakedOutputs.map((output) => output.amount()).sort()]).toEqual([
      4_025n * AVAX,
      [2_000n * AVAX, 2_000n * AVAX, 25n * AVAX],
    ])
  }),
  platform("getCurrentValidators", "validators of the primary network, and of an L1", async ({ wallet, dev, made }) => {
    const { validators } = await wallet.platform.getCurrentValidators()
    expect(validators.map(({ nodeID }) => nodeID)).toContain(NODE_ID)
    expect(validators).toHaveLength(7)
    const l1 = await wallet.platform.getCurrentValidators({ subnetID: made.id("l1") })
    const names = ["first", "second", "registered"]
    const nodeIDs = await Promise.all(names.map(async (name) => (await made.identity(name, dev)).nodeID))
    expect(l1.validators.map(({ nodeID }) => nodeID).sort()).toEqual(nodeIDs.sort())
  }),
  platform("getValidatorsAt", "the validators of a subnet at any height", async ({ wallet, made, dev, either }) => {
    const { height } = await wallet.platform.getHeight()
    const { nodeID } = await made.identity("registered", dev)
    const now = await wallet.platform.getValidatorsAt({ height, subnetID: made.id("l1") })
    expect(now).toMatchObject(either({ validators: { [nodeID]: 33 } }, { [nodeID]: { weight: "33" } }))
    const then = await wallet.platform.getValidatorsAt({ height: 0 })
    expect(Object.values(either(then.validators, then))).toHaveLength(5)
  }),
  platform("sampleValidators", "as many as were asked for", async ({ wallet }) => {
    const { validators } = await wallet.platform.sampleValidators({ size: 3 })
    expect(validators).toHaveLength(3)
    for (const nodeID of validators) expect(nodeID).toMatch(/^NodeID-/)
  }),
  platform("getL1Validator", "a validator of an L1, with its owners", async ({ wallet, made, a }) => {
    const { remainingBalanceOwner, startTime, height } = await wallet.platform.getL1Validator(made.id("registered"))
    expect(remainingBalanceOwner.addresses.map((each) => each.toBytes())).toEqual([a.bytes])
    expect(startTime).toBeGreaterThan(0n)
    expect(height).toBe(BigInt((await wallet.platform.getHeight()).height))
  }),
  platform("getSubnet", "who rules a subnet, or what it became", async ({ wallet, made }) => {
    const permissioned = await wallet.platform.getSubnet({ subnetID: made.id("permissioned") })
    expect(permissioned).toMatchObject({ isPermissioned: true, conversionID: PRIMARY_NETWORK, managerAddress: null })
    const l1 = await wallet.platform.getSubnet({ subnetID: made.id("l1") })
    expect(l1).toMatchObject({ isPermissioned: false, managerChainID: made.id("l1 chain") })
    expect(l1.conversionID).not.toBe(PRIMARY_NETWORK)
  }),
  platform("getSubnets", "subnets by their IDs", async ({ wallet, made, a }) => {
    const id = made.id("permissioned")
    expect(await wallet.platform.getSubnets({ ids: [id] })).toEqual({
      subnets: [{ id, controlKeys: [a.address], threshold: "1" }],
    })
  }),
  platform("getBlockchains", "every chain there is", async ({ wallet, made }) => {
    const { blockchains } = await wallet.platform.getBlockchains()
    const { xBlockchainID, cBlockchainID } = wallet.context
    const expected = [xBlockchainID, cBlockchainID, made.id("l1 chain"), made.id("handed over chain")]
    expect(blockchains.map(({ id }) => id).sort()).toEqual(expected.sort())
  }),
  platform("getBlockchainStatus", "whether a chain exists, and whether it is run here", async ({ wallet, made }) => {
    expect(await wallet.platform.getBlockchainStatus("P")).toEqual({ status: "Validating" })
    expect(await wallet.platform.getBlockchainStatus(made.id("l1 chain"))).toEqual({ status: "Created" })
    expect(await wallet.platform.getBlockchainStatus(made.id("l1"))).toEqual({ status: "Unknown" })
  }),
  platform("validatedBy", "which subnet validates a chain", async ({ wallet, made }) => {
    const subnetID = made.id("l1")
    expect(await wallet.platform.validatedBy({ blockchainID: made.id("l1 chain") })).toEqual({ subnetID })
    expect(await wallet.platform.validatedBy({ blockchainID: wallet.context.xBlockchainID })).toEqual({
      subnetID: PRIMARY_NETWORK,
    })
  }),
  platform("validates", "which chains a subnet validates", async ({ wallet, made }) => {
    const { blockchainIDs } = await wallet.platform.validates({ subnetID: made.id("l1") })
    expect(blockchainIDs).toEqual([made.id("l1 chain")])
  }),
  platform("getTx", "a transaction, which the library reads and writes again byte for byte", async ({ wallet, dev, made }) => {
    const txID = made.id("validation")
    const bytes = (await wallet.platform.getTx({ txID })).toBytes()
    const { tx } = await dev("platform.getTx", { txID, encoding: "hex" })
    expect(utils.bufferToHex(utils.addChecksum(bytes))).toBe(tx)
  }),
  platform("getTxJson", "a transaction as JSON", async ({ wallet, made, a }) => {
    const { tx } = await wallet.platform.getTxJson({ txID: made.id("validation") })
    expect(tx).toMatchObject({
      id: made.id("validation"),
      unsignedTx: { networkID: 12345, validationRewardsOwner: { addresses: [a.address], threshold: 1 }, shares: 200_000 },
    })
  }),
  platform("getTxStatus", "committed, or unknown", async ({ wallet, made }) => {
    expect(await wallet.platform.getTxStatus({ txID: made.id("validation") })).toEqual({ status: "Committed" })
    expect(await wallet.platform.getTxStatus({ txID: wallet.context.avaxAssetID })).toEqual({ status: "Unknown" })
  }),
  platform("issueTx", "refuses a transaction whose bytes are broken", async ({ wallet, either }) => {
    const refusal = either(
      "the text is too short to hold its checksum (size: 1)",
      "problem decoding transaction: input string is smaller than the checksum size",
    )
    await expect(wallet.platform.issueTx({ tx: "0x00" })).rejects.toThrow(refusal)
  }),
  platform("issueSignedTx", "refuses a transaction that was accepted before", async ({ wallet, made, either }) => {
    const refusal = either("the node is already a validator", "duplicate validator: NodeID-")
    const again = await wallet.platform.getTx({ txID: made.id("validation") })
    await expect(wallet.platform.issueSignedTx(again)).rejects.toThrow(refusal)
  }),
  platform("getRewardUTXOs", "what a staker earned, once its time is over", async (world) => {
    const { wallet, dev, made, a, b } = world
    expect(await wallet.platform.getRewardUTXOs({ txID: made.id("validation") })).toMatchObject({ numFetched: "0", utxos: [] })
    await dev("dev.advanceTime", { seconds: String(31n * DAY) })
    const earned = async (name: string) => {
      const { utxos } = await wallet.platform.getRewardUTXOs({ txID: made.id(name) })
      return utxos.flatMap((utxo) => utxo.getOutputOwners().addrs.map((owner) => owner.toBytes()))
    }
    // A validator gets its own reward, and its commission for the owner of delegation rewards.
    expect(await earned("validation")).toEqual([a.bytes, b.bytes])
    expect(await earned("delegation")).toEqual([b.bytes])
    const { staked } = await wallet.platform.getStake({ addresses: [a.address, b.address] })
    expect(staked).toBe(0n)
  }),
  platform("getPendingValidators", "is refused: AvalancheGo no longer has it", async (world) => {
    await expect(world.wallet.platform.getPendingValidators()).rejects.toThrow(unknown(world, "getPendingValidators"))
  }),
  platform("getMaxStakeAmount", "is refused: AvalancheGo no longer has it", async (world) => {
    // The library cannot write its own bigints as JSON.
    const times = { startTime: 0 as never, endTime: 1 as never }
    const asked = world.wallet.platform.getMaxStakeAmount({ nodeID: NODE_ID, ...times })
    await expect(asked).rejects.toThrow(unknown(world, "getMaxStakeAmount"))
  }),
  platform("getAssetDescription", "is refused: the P-Chain never had it", async (world) => {
    await expect(world.wallet.platform.getAssetDescription("AVAX")).rejects.toThrow(unknown(world, "getAssetDescription"))
  }),
  platform("getAddressTxs", "is refused: the P-Chain never had it", async (world) => {
    const { wallet, a, either } = world
    const asked = wallet.platform.getAddressTxs({ address: a.address, assetID: "AVAX" })
    await expect(asked).rejects.toThrow(
      either(
        "there is no such method at this path (method: platform.GetAddressTxs)",
        "method must start with a non-uppercase letter",
      ),
    )
  }),
]
