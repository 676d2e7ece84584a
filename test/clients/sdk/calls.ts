import { expect } from "vitest"
import { AVAX, PRIMARY_NETWORK } from "../made.js"
import type { World } from "./world.js"

/** A method of one of the SDK's clients that asks the node something. */
export interface SdkCall {
  readonly api: "pChain" | "info" | "health" | "proposervm" | "indexBlock" | "admin"
  readonly method: string
  run(world: World): Promise<void>
}

const NODE_ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"
const GRANITE = "2020-12-05T05:00:00Z"

const of = (api: SdkCall["api"], runs: Readonly<Record<string, SdkCall["run"]>>): SdkCall[] =>
  Object.entries(runs).map(([method, run]) => ({ api, method, run }))

const pChain = of("pChain", {
  async getBalance({ client, alice }) {
    const { balance, unlocked, lockedStakeable, utxoIDs } = await client.pChain.getBalance({ addresses: [alice] })
    expect(BigInt(balance)).toBeGreaterThan(90_000n * AVAX)
    expect([unlocked, lockedStakeable, utxoIDs.length > 0]).toEqual([balance, 0n, true])
  },
  async getBlock({ client }) {
    const byHeight = await client.pChain.getBlockByHeight({ height: 1, encoding: "json" })
    const { id: blockId } = byHeight.block as unknown as { id: string }
    expect(await client.pChain.getBlock({ blockId, encoding: "json" })).toEqual(byHeight)
  },
  async getBlockByHeight({ client }) {
    const { block } = await client.pChain.getBlockByHeight({ height: 1, encoding: "hex" })
    expect(block).toMatch(/^0x00000000002000000000/)
  },
  async getBlockchains({ client, made }) {
    const { blockchains } = await client.pChain.getBlockchains()
    expect(blockchains.map(({ id }) => id)).toContain(made.id("l1 chain"))
  },
  async getBlockchainStatus({ client }) {
    expect(await client.pChain.getBlockchainStatus({ blockchainId: "P" })).toEqual({ status: "Validating" })
  },
  async getCurrentValidators({ client }) {
    const { validators } = await client.pChain.getCurrentValidators({})
    expect(validators).toHaveLength(6)
  },
  async getCurrentSupply({ client }) {
    const { supply } = await client.pChain.getCurrentSupply({ subnetId: PRIMARY_NETWORK })
    expect(supply).toBeGreaterThan(360_000_000n * AVAX)
  },
  async getFeeConfig({ client }) {
    expect(await client.pChain.getFeeConfig()).toMatchObject({ maxCapacity: 1_000_000n, minPrice: 1n })
  },
  async getFeeState({ client }) {
    expect(await client.pChain.getFeeState()).toMatchObject({ price: 1n })
  },
  async getHeight({ client, dev }) {
    expect(String((await client.pChain.getHeight()).height)).toBe(String((await dev("dev.status")).height))
  },
  async getL1Validator({ client, made }) {
    const { subnetID } = await client.pChain.getL1Validator({ validationID: made.id("registered") })
    expect(subnetID).toBe(made.id("l1"))
  },
  async getProposedHeight({ client, dev }) {
    expect(String((await client.pChain.getProposedHeight()).height)).toBe(String((await dev("dev.status")).height))
  },
  async getMinStake({ client }) {
    expect(await client.pChain.getMinStake({ subnetID: PRIMARY_NETWORK })).toEqual({
      minValidatorStake: 2_000n * AVAX,
      minDelegatorStake: 25n * AVAX,
    })
  },
  async getRewardUTXOs({ client, made }) {
    expect((await client.pChain.getRewardUTXOs({ txID: made.id("validation") })).utxos).toEqual([])
  },
  async getStake({ client, alice }) {
    const { staked } = await client.pChain.getStake({ addresses: [alice] })
    expect(BigInt(staked)).toBe(2_025n * AVAX)
  },
  async getStakingAssetID({ client }) {
    const { assetID } = await client.pChain.getStakingAssetID({ subnetID: PRIMARY_NETWORK })
    expect(assetID).toBe("2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe")
  },
  async getSubnet({ client, made }) {
    expect(await client.pChain.getSubnet({ subnetID: made.id("l1") })).toMatchObject({ isPermissioned: false })
  },
  async getSubnets({ client, made }) {
    const { subnets } = await client.pChain.getSubnets({ ids: [made.id("l1")] })
    expect(subnets.map(({ id }) => id)).toEqual([made.id("l1")])
  },
  async getTimestamp({ client, dev }) {
    const { timestamp } = await client.pChain.getTimestamp()
    expect(timestamp).toBe((await dev("dev.status")).chainTime)
  },
  async getTotalStake({ client, made }) {
    const primary = await client.pChain.getTotalStake({ subnetID: PRIMARY_NETWORK })
    expect(primary).toMatchObject({ stake: String(10_002_025n * AVAX) })
    expect(await client.pChain.getTotalStake({ subnetID: made.id("l1") })).toEqual({ weight: "133" })
  },
  async getTx({ client, made }) {
    const { tx } = await client.pChain.getTx({ txID: made.id("validation"), encoding: "hex" })
    expect(tx).toMatch(/^0x000000000019/)
  },
  async getTxStatus({ client, made }) {
    expect(await client.pChain.getTxStatus({ txID: made.id("validation") })).toMatchObject({ status: "Committed" })
  },
  async getUTXOs({ client, alice }) {
    const { utxos, endIndex } = await client.pChain.getUTXOs({ addresses: [alice], limit: 1 })
    expect([utxos.length, endIndex.address]).toEqual([1, alice])
  },
  async getAllValidatorsAt({ client, made }) {
    const { validatorSets } = (await client.pChain.getAllValidatorsAt({ height: "proposed" })) as { validatorSets: object }
    expect(Object.keys(validatorSets)).toEqual(expect.arrayContaining([PRIMARY_NETWORK, made.id("l1")]))
  },
  async getValidatorsAt({ client }) {
    const { validators } = await client.pChain.getValidatorsAt({ height: 0, subnetID: PRIMARY_NETWORK })
    expect(Object.keys(validators)).toHaveLength(5)
  },
  async issueTx({ client }) {
    await expect(client.pChain.issueTx({ tx: "0x00", encoding: "hex" })).rejects.toThrow(/too short to hold its checksum/)
  },
  async sampleValidators({ client }) {
    expect((await client.pChain.sampleValidators({ size: 2 })).validators).toHaveLength(2)
  },
  async validates({ client, made }) {
    const { blockchainIDs } = await client.pChain.validates({ subnetID: made.id("l1") })
    expect(blockchainIDs).toEqual([made.id("l1 chain")])
  },
  async validatedBy({ client, made }) {
    expect(await client.pChain.validatedBy({ blockchainID: made.id("l1 chain") })).toEqual({ subnetID: made.id("l1") })
  },
})

const info = of("info", {
  async acps({ client }) {
    expect(await client.info.acps()).toEqual({ acps: expect.anything() })
  },
  async getBlockchainID({ client }) {
    expect(await client.info.getBlockchainID({ alias: "P" })).toEqual({ blockchainID: PRIMARY_NETWORK })
  },
  async getNetworkID({ client }) {
    expect(await client.info.getNetworkID()).toEqual({ networkID: "12345" })
  },
  async getNetworkName({ client }) {
    expect(await client.info.getNetworkName()).toEqual({ networkName: "local" })
  },
  async getNodeID({ client }) {
    expect(await client.info.getNodeID()).toMatchObject({ nodeID: NODE_ID })
  },
  async getNodeIP({ client }) {
    expect(await client.info.getNodeIP()).toEqual({ ip: expect.any(String) })
  },
  async getNodeVersion({ client }) {
    expect(await client.info.getNodeVersion()).toMatchObject({ rpcProtocolVersion: "46" })
  },
  async getTxFee({ client }) {
    expect(await client.info.getTxFee()).toMatchObject({ txFee: 1_000_000n })
  },
  async getVMs({ client }) {
    expect(Object.values((await client.info.getVMs()).vms)).toContainEqual(["platform"])
  },
  async isBootstrapped({ client }) {
    expect(await client.info.isBootstrapped({ chain: "P" })).toEqual({ isBootstrapped: true })
  },
  async peers({ client }) {
    expect(await client.info.peers({})).toMatchObject({ peers: [] })
  },
  async upgrades({ client }) {
    expect(await client.info.upgrades()).toMatchObject({ etnaTime: GRANITE })
  },
  async uptime({ client }) {
    expect(await client.info.uptime()).toEqual({ rewardingStakePercentage: "100.0000", weightedAveragePercentage: "100.0000" })
  },
})

const hex = { encoding: "hex" } as const

const indexBlock = of("indexBlock", {
  async getLastAccepted({ client, dev }) {
    const { index } = await client.indexBlock.pChain.getLastAccepted(hex)
    expect(String(BigInt(index) + 1n)).toBe(String((await dev("dev.status")).height))
  },
  async getContainerByIndex({ client }) {
    const { block } = await client.pChain.getBlockByHeight({ height: 1, encoding: "hex" })
    const { bytes, index } = await client.indexBlock.pChain.getContainerByIndex({ index: 0, ...hex })
    // The container is the wrapper around the block. Both end in a checksum of four bytes, in hex.
    expect([index, bytes.includes(String(block).slice(2, -8))]).toEqual(["0", true])
  },
  async getContainerByID({ client }) {
    const first = await client.indexBlock.pChain.getContainerByIndex({ index: 0, ...hex })
    expect(await client.indexBlock.pChain.getContainerByID({ id: first.id, ...hex })).toEqual(first)
  },
  async getContainerRange({ client }) {
    // The SDK names the last index where AvalancheGo wants a number of blocks.
    const asking = client.indexBlock.pChain.getContainerRange({ startIndex: 0, endIndex: 1, ...hex })
    await expect(asking).rejects.toThrow(/numToFetch/)
  },
  async getIndex({ client }) {
    const { id } = await client.indexBlock.pChain.getContainerByIndex({ index: 1, ...hex })
    expect(await client.indexBlock.pChain.getIndex({ id, ...hex })).toEqual({ index: "1" })
  },
  async isAccepted({ client }) {
    const { id } = await client.indexBlock.pChain.getLastAccepted(hex)
    expect(await client.indexBlock.pChain.isAccepted({ id, ...hex })).toEqual({ isAccepted: true })
  },
})

const admin = of("admin", {
  async getChainAliases({ client }) {
    expect((await client.admin.getChainAliases({ chain: PRIMARY_NETWORK })).aliases).toContain("P")
  },
})

const health = of("health", {
  async health({ client }) {
    expect(await client.health.health({ tags: [] })).toMatchObject({ healthy: true })
  },
  async liveness({ client }) {
    expect(await client.health.liveness()).toMatchObject({ healthy: true })
  },
  async readiness({ client }) {
    expect(await client.health.readiness({ tags: [] })).toMatchObject({ healthy: true })
  },
})

const proposervm = of("proposervm", {
  async getProposedHeight({ client, dev }) {
    expect(String((await client.proposervm.pChain.getProposedHeight()).height)).toBe(String((await dev("dev.status")).height))
  },
  async getCurrentEpoch({ client, dev }) {
    const { pChainHeight } = await client.proposervm.pChain.getCurrentEpoch()
    expect(String(pChainHeight)).toBe(String((await dev("dev.status")).height))
  },
})

/** Every call, made after the transactions. */
export const calls: readonly SdkCall[] = [...pChain, ...info, ...indexBlock, ...admin, ...health, ...proposervm]
