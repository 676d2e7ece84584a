import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parsePChainAddress } from "../../src/core/types/address.js"
import { parseID, parseNodeID } from "../../src/core/types/id.js"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { eth } from "./evm.js"
import { messenger as manager } from "./exchange.js"
import { bytesOf, deployManager, listOf, needsIcm, tuple, word } from "./icm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

describe("ICM's own ValidatorManager", { ...needsPlugin("subnet-evm"), timeout: 120_000 }, () => {
  describe("on an L1", needsIcm, () => {
    let devnet: Devnet
    let l1: DevnetL1
    let icm: Awaited<ReturnType<typeof deployManager>>

    beforeAll(async () => {
      devnet = await startDevnet({ pluginDir })
      l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm", validators: 2, managerAddress: manager })
      icm = await deployManager(devnet, l1)
    })
    afterAll(() => devnet?.stop())

    const validators = async () => (await devnet.rpc("platform.getCurrentValidators", { subnetID: l1.subnetID })).validators
    const weights = async () => (await validators()).map(({ weight }) => Number(weight)).sort((a, b) => a - b)
    /** The status of a validator in the contract: 2 is active, 4 completed. Its weight is the sixth member. */
    async function inContract(validationID: string) {
      const data = `0xd5f20ff6${parseID(validationID)}`
      const answer = ((await eth(l1.rpcUrl, "eth_call", [{ to: manager, data }, "latest"])) as string).slice(2)
      const member = (index: number) => Number(`0x${answer.slice((index + 1) * 64, (index + 2) * 64)}`)
      return [member(0), member(5)]
    }

    test("initialises with the conversion, registers, changes the weight, and removes", async () => {
      const { call, complete } = icm
      await icm.initialise()
      const { nodeID, publicKey } = await devnet.dev.newIdentity()
      const address = parsePChainAddress("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "local")
      const owner = { content: tuple(word(1), listOf([word(address)])) }
      const registration = tuple(bytesOf(parseNodeID(nodeID)), bytesOf(publicKey.slice(2)), owner, owner, word(20))
      const validationID = await complete("a3a65e48", await call("9cb7624e", registration))
      expect(await weights()).toEqual([20, 100, 100])
      expect(await inContract(validationID)).toEqual([2, 20])

      await complete("ce161f14", await call("66109669", parseID(validationID) + word(30)))
      expect(await weights()).toEqual([30, 100, 100])
      expect(await inContract(validationID)).toEqual([2, 30])

      await complete("9681d940", await call("b6e6a2ca", parseID(validationID)))
      expect(await weights()).toEqual([100, 100])
      expect((await inContract(validationID))[0]).toBe(4)
    })
  })
})
