import {
  type AdminAPIActions,
  createAvalancheClient,
  createAvalancheWalletClient,
  type HealthAPIActions,
  type IndexAPIActions,
  type InfoAPIActions,
  type PChainActions,
  type ProposervmAPIActions,
} from "@avalanche-sdk/client"
import { privateKeyToAvalancheAccount } from "@avalanche-sdk/client/accounts"
import { avalancheLocal } from "@avalanche-sdk/client/chains"
import { type Call, httpClient } from "../../../src/client/client.js"
import { parsePrivateKey } from "../../../src/core/types/privateKey.js"
import { type Devnet, startDevnet } from "../../../src/devnet/devnet.js"
import { MadeObjects } from "../made.js"

/** A method that the SDK's public client has for every chain, although its types name only Mainnet and Fuji. */
interface PublicClient {
  readonly pChain: PChainActions
  readonly info: InfoAPIActions
  readonly health: HealthAPIActions
  readonly proposervm: { readonly pChain: ProposervmAPIActions }
  readonly indexBlock: { readonly pChain: IndexAPIActions }
  readonly admin: AdminAPIActions
}

/** A private chain, and the SDK's clients over HTTP. */
export async function openWorld() {
  const devnet: Devnet = await startDevnet({ accounts: 2 })
  const [, , alice, bob] = devnet.keys as Required<Devnet["keys"]>
  const http = `${devnet.url}/ext/bc/C/rpc`
  // The SDK's own local chain with another port.
  const chain = { ...avalancheLocal, rpcUrls: { default: { http: [http] } } }
  const transport = { type: "http", url: http } as const
  const account = privateKeyToAvalancheAccount(`0x${Buffer.from(parsePrivateKey(alice!.privateKey)).toString("hex")}`)
  return {
    devnet,
    dev: httpClient(devnet.url) as Call,
    client: createAvalancheClient({ chain, transport }) as unknown as PublicClient,
    wallet: createAvalancheWalletClient({ account, chain, transport }),
    alice: account.getXPAddress("P", "local"),
    bob: bob!.address,
    made: new MadeObjects(),
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** Signs, issues and awaits a transaction that the wallet prepared. Returns its ID. */
export async function send({ wallet }: World, prepared: Parameters<World["wallet"]["sendXPTransaction"]>[0]): Promise<string> {
  const { txHash } = await wallet.sendXPTransaction(prepared)
  await wallet.waitForTxn({ txHash, chainAlias: "P" })
  return txHash
}
