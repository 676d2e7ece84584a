import { expect, test } from "vitest"
import { parsePChainAddress } from "../../src/core/types/address.js"
import { type ID, parseID, parseNodeID } from "../../src/core/types/id.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { developerGenesis, developerUpgrades } from "../../src/hosting/developerChain.js"
import { eth } from "./evm.js"
import { messenger as manager } from "./exchange.js"
import { bytesOf, deployManager, icmBytecode, linked, listOf, needsIcm, selectorOf, tuple, word } from "./icm.js"
import { needsClockPlugin, pluginDir } from "./plugins.js"
import { uptimeMessage } from "./uptimeMessage.js"

const TWO_WEEKS = 1_209_600n
const YEAR = 31_536_000n
const COIN = 10n ** 18n
const MINTER = "0x0200000000000000000000000000000000000001"
/** The reward of a year is a tenth of the stake, in hundredths of a percent. */
const REWARD = 1000n
const [recipient, nobody] = ["0x00000000000000000000000000000000000000d1", "0x00000000000000000000000000000000000000d2"]
const address = parsePChainAddress("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "local")
const owner = { content: tuple(word(1), listOf([word(address)])) }

const SETTINGS = "(address,uint256,uint256,uint64,uint16,uint8,uint256,address,bytes32)"
const selectors = {
  initialize: selectorOf(`initialize(${SETTINGS})`),
  register: selectorOf("initiateValidatorRegistration(bytes,bytes,(uint32,address[]),(uint32,address[]),uint16,uint64,address)"),
  completeRegistration: selectorOf("completeValidatorRegistration(uint32)"),
  remove: selectorOf("initiateValidatorRemoval(bytes32,bool,uint32)"),
  forceRemove: selectorOf("forceInitiateValidatorRemoval(bytes32,bool,uint32)"),
  completeRemoval: selectorOf("completeValidatorRemoval(uint32)"),
  transferOwnership: selectorOf("transferOwnership(address)"),
  setEnabled: selectorOf("setEnabled(address)"),
}

test("ICM's own NativeTokenStakingManager: two stakes of two weeks, one online and one offline, are rewarded by their uptime and paid back", {
  ...needsClockPlugin("subnet-evm"),
  ...needsIcm,
  timeout: 120_000,
}, async () => {
  await using devnet = await startDevnet({ pluginDir })
  const { dev } = devnet
  const genesis = JSON.parse(
    Buffer.from(
      developerGenesis(
        4242n,
        [0, 2, 3].map((i) => devnet.keys[i]!).map(({ evmAddress }) => evmAddress),
      ),
    ).toString(),
  )
  genesis.config.contractNativeMinterConfig = {
    blockTimestamp: genesis.config.warpConfig.blockTimestamp,
    adminAddresses: [devnet.keys[0]?.evmAddress],
  }
  // The rules before Granite, with blocks as fast as transactions.
  const upgrades = JSON.parse(Buffer.from(developerUpgrades(45)).toString())
  const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm", validators: 2, managerAddress: manager, genesis, upgrades })
  const { library, succeed, call, complete, initialise } = await deployManager(devnet, l1)
  await initialise()
  const calculator = await succeed({ data: icmBytecode("validator-manager/ExampleRewardCalculator") + word(REWARD), key: 2 })
  const code = linked(icmBytecode("validator-manager/NativeTokenStakingManager"), library)
  const { contractAddress } = await succeed({ data: code + word(0), key: 2 })
  const staking = contractAddress as string
  const settings = [word(manager), word(COIN), word(10n * COIN), word(3600), word(100), word(4), word(COIN / 20n)]
  await call(
    selectors.initialize,
    [...settings, word(calculator.contractAddress as string), parseID(l1.chainID)].join(""),
    undefined,
    staking,
  )
  await call(selectors.transferOwnership, word(staking))
  await call(selectors.setEnabled, word(staking), undefined, MINTER)

  async function stake(receiver: string) {
    const { nodeID, publicKey } = await dev.newIdentity()
    const node = [bytesOf(parseNodeID(nodeID)), bytesOf(publicKey.slice(2))]
    const args = tuple(...node, owner, owner, word(100), word(TWO_WEEKS), word(receiver))
    const sent = await succeed({ to: staking, data: `0x${selectors.register}${args}`, value: COIN })
    return { nodeID, validationID: parseID(await complete(selectors.completeRegistration, sent, staking)) }
  }
  const [online, offline] = [await stake(recipient as string), await stake(nobody as string)]
  const weights = async () =>
    (await devnet.rpc("platform.getCurrentValidators", { subnetID: l1.subnetID })).validators
      .map(({ weight }) => Number(weight))
      .sort()
  expect(await weights()).toEqual([100, 100, 20, 20])
  // The VM looks which validators there are once a minute, and when it starts.
  await dev.stopL1({ name: "mine" })
  await dev.startL1({ name: "mine" })
  await dev.setUptime({ nodeID: offline.nodeID, percent: 0 })
  await dev.advanceTime({ seconds: TWO_WEEKS })

  const signed = async (validationID: ID, seconds: bigint) =>
    (await dev.signWarpMessage({ unsignedMessage: uptimeMessage(parseID(l1.chainID), validationID, seconds) })).signedMessage
  await expect(signed(offline.validationID, TWO_WEEKS)).rejects.toMatchObject({ code: "vm.will_not_sign" })
  const proven = await signed(online.validationID, TWO_WEEKS)
  const removed = await call(selectors.remove, online.validationID + word(1) + word(0), proven, staking)
  await complete(selectors.completeRemoval, removed, staking)
  // Without uptime there is no reward, and the contract wants to be told that this is meant.
  const plain = offline.validationID + word(0) + word(0)
  await expect(call(selectors.remove, plain, undefined, staking)).rejects.toThrow()
  await complete(selectors.completeRemoval, await call(selectors.forceRemove, plain, undefined, staking), staking)
  expect(await weights()).toEqual([100, 100])

  const balance = async (of: string) => BigInt((await eth(l1.rpcUrl, "eth_getBalance", [of, "latest"])) as string)
  const rewardOf = (seconds: bigint) => (COIN * REWARD * seconds) / YEAR / 10_000n
  const reward = await balance(recipient as string)
  expect([reward >= rewardOf(TWO_WEEKS), reward <= rewardOf(TWO_WEEKS + 60n)]).toEqual([true, true])
  expect([await balance(nobody as string), await balance(staking)]).toEqual([0n, 0n])
})
