import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openRpcOf, serviceList } from "../../src/client/services.js"
import { type Json, printJson } from "../../src/core/lib/json.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import type { AnyMethod } from "../../src/jsonrpc/method.js"
import { startDevNode } from "./dev/fixture.js"

/** The methods of these services that AvalancheGo v1.14.2 has, from its sources; those of the keystore are of v1.11. */
const avalanchego: Readonly<Record<string, string>> = {
  platform:
    "getBalance getBlock getBlockByHeight getBlockchainStatus getBlockchains getCurrentSupply getCurrentValidators getFeeConfig getFeeState getHeight getL1Validator getMinStake getProposedHeight getRewardUTXOs getStake getStakingAssetID getSubnet getSubnets getTimestamp getTotalStake getTx getTxStatus getUTXOs getValidatorFeeConfig getValidatorFeeState getValidatorsAt issueTx sampleValidators validatedBy validates getAllValidatorsAt",
  info: "acps getBlockchainID getNetworkID getNetworkName getNodeID getNodeIP getNodeVersion getTxFee getVMs isBootstrapped peers upgrades uptime",
  keystore: "createUser deleteUser exportUser importUser listUsers",
  avm: "getAllBalances getAssetDescription getBalance getHeight getTxFee getUTXOs",
  proposervm: "getCurrentEpoch getProposedHeight",
  index: "getContainerByID getContainerByIndex getContainerRange getIndex getLastAccepted isAccepted",
  admin: "getChainAliases getLoggerLevel setLoggerLevel",
  health: "health liveness readiness",
}

const methods = serviceList.flatMap((service) => service.methods.map((method: AnyMethod) => ({ service, method })))
const extensions = methods.filter(({ service, method }) => method.isExtension || service.isExtension)

let chains: Record<"contract" | "avalanchego", Awaited<ReturnType<typeof startDevNode>>>
beforeAll(async () => {
  chains = { contract: await startDevNode("contract"), avalanchego: await startDevNode("avalanchego") }
})
afterAll(async () => {
  for (const node of Object.values(chains)) await node.stop()
})

type CallAnswer = { readonly result?: Json; readonly error?: { code: number; message: string; data: Record<string, Json> } }

async function ask(dialect: keyof typeof chains, path: string, name: string, params: Json): Promise<CallAnswer> {
  const body = printJson({ jsonrpc: "2.0", id: 1, method: name, params })
  const url = `${chains[dialect].chain.listening!.url}${path}`
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  return parseJson(await response.text()) as CallAnswer
}

test("the extensions are exactly the methods that AvalancheGo does not have", () => {
  const others = methods.filter((each) => !extensions.includes(each))
  const names = Object.entries(avalanchego).flatMap(([service, all]) => all.split(" ").map((name) => `${service}.${name}`))
  expect(others.map(({ method }) => method.name).sort()).toEqual(names.sort())
})

describe.each(extensions.map(({ service, method }) => ({ name: method.name, path: service.paths[0]!, method })))(
  "$name",
  ({ name, path, method }) => {
    const known = Object.keys(method.params.members)

    test("an extension refuses an unknown parameter and suggests a similar one", async () => {
      const unknown = await ask("contract", path, name, { quiteAnotherThing: 1 })
      expect(unknown.error).toMatchObject({ code: -32602, data: { code: "rpc.unknown_param", param: "quiteAnotherThing" } })
      expect(unknown.error?.data.known).toBe(known.join(" ") || "none")
      for (const right of known) {
        const wrong = misspelt(right, known)
        const { error } = await ask("contract", path, name, { [wrong]: 1 })
        expect(error?.data).toEqual({ code: "rpc.unknown_param", param: wrong, didYouMean: right })
      }
    })

    test("an extension refuses it together with known parameters, in a list, and in AvalancheGo's dialect", async () => {
      const params = { ...(method.examples[0]?.params ?? {}), quiteAnotherThing: null }
      expect((await ask("contract", path, name, [params])).error?.data.code).toBe("rpc.unknown_param")
      const { error } = await ask("avalanchego", path, name, params)
      expect(error).toEqual({ code: -32000, message: "this method has no such parameter: quiteAnotherThing", data: null })
    })
  },
)

/** A name that is nearer to this one than to any other. */
function misspelt(name: string, known: readonly string[]): string {
  const wrong = [`${name}s`, name.slice(0, -1), `${name}${name.at(-1)}`].find((each) => each.length > 2 && !known.includes(each))
  return wrong as string
}

test("members of objects inside parameters are refused as well", async () => {
  const { error } = await ask("contract", "/ext/dev", "dev.addValidators", { count: 1, autoRenew: { perod: 86_400 } })
  expect(error).toEqual({
    code: -32602,
    message: "this method has no such parameter (param: autoRenew.perod, didYouMean: period)",
    data: { code: "rpc.unknown_param", param: "autoRenew.perod", didYouMean: "period" },
  })
})

test("AvalancheGo's dialect, which has no data, names the parameter in the sentence, a long one shortened", async () => {
  const { error } = await ask("avalanchego", "/ext/bc/P", "platform.getTxs", { kind: "BaseTx" })
  expect(error?.message).toBe("this method has no such parameter: kind (did you mean kinds?)")
  const long = await ask("avalanchego", "/ext/bc/P", "platform.getTxs", { ["x".repeat(1000)]: 1 })
  expect(long.error?.message).toBe(`this method has no such parameter: ${"x".repeat(64)}`)
})

test("methods of AvalancheGo ignore unknown parameters", async () => {
  for (const dialect of ["contract", "avalanchego"] as const) {
    expect(await ask(dialect, "/ext/bc/P", "platform.getHeight", { kind: "BaseTx" })).toMatchObject({ result: { height: "1" } })
  }
})

test("the description says for every extension, and for no other method, that it refuses unknown parameters", () => {
  const document = openRpcOf(serviceList, "0.1.0", "") as { methods: { name: string; description?: string }[] }
  const described = document.methods.filter(({ description }) =>
    description?.includes("refuses parameters that it does not have"),
  )
  expect(described.map(({ name }) => name)).toEqual(extensions.map(({ method }) => method.name))
})
