// Pays on the C-Chain with viem, stakes on the P-Chain with a validator that renews itself, and takes everything back.
//
//   npm install viem@2
//   SERAC_PLUGINS=DIR node examples/renew-from-c.js
//
// DIR has a plugin of coreth, the VM of the C-Chain (docs/c-chain.md).
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { createWalletClient, defineChain, formatEther, http, parseEther, publicActions } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { AVAX, bytesOf, openWallet } from "./wallet.js"

const DAY = 24n * 60n * 60n
const PERIOD = 14n * DAY

const devnet = await startDevnet({ pluginDir: process.env.SERAC_PLUGINS ?? "plugins", cChain: true, accounts: 1 })
const [alice] = devnet.accounts
const { privateKey, evmAddress } = alice

// The richest key of the C-Chain pays Alice there, as a wallet or an exchange would.
const { rpcUrl, keys, tip } = devnet.cChain
const nativeCurrency = { name: "AVAX", symbol: "AVAX", decimals: 18 }
const chain = defineChain({ id: 43112, name: "C-Chain", nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } })
const account = privateKeyToAccount(keys[0].privateKey)
const rich = createWalletClient({ account, chain, transport: http() }).extend(publicActions)
const to = evmAddress
const hash = await rich.sendTransaction({ to, value: parseEther("3000"), maxPriorityFeePerGas: tip })
const { status } = await rich.waitForTransactionReceipt({ hash, pollingInterval: 20 })
console.log(`a payment of 3000 AVAX on the C-Chain: ${status}`)

await devnet.transfer({ from: "C", to: "P", amount: 2_001n * AVAX, privateKey })

// What will three cycles earn, if half of each reward is restaked and nobody else stakes meanwhile?
const amount = 2_000n * AVAX
const { reward, cycles } = await devnet.rpc("platform.estimateReward", {
  amount,
  duration: PERIOD,
  cycles: 3,
  autoCompoundRewardShares: 500_000,
})
for (const cycle of cycles) console.log(`${cycle.assumption}: ${cycle.reward} nAVAX, ${cycle.restaked} of them restaked`)

const wallet = await openWallet(devnet.url, privateKey)
const node = await devnet.dev.newIdentity()
const validatorTxId = await wallet.issue((common) =>
  pvm.newAddAutoRenewedValidatorTx(
    {
      ...common,
      nodeId: node.nodeID,
      publicKey: bytesOf(node.publicKey),
      signature: bytesOf(node.proofOfPossession),
      weight: amount,
      shares: 20_000,
      rewardAddresses: [wallet.bytes],
      delegatorRewardsOwner: [wallet.bytes],
      ownerAddresses: [wallet.bytes],
      period: PERIOD,
      autoCompoundRewardShares: 500_000,
    },
    wallet.context,
  ),
)

// Two cycles end and begin again; the third is the last one.
await devnet.dev.advanceTime({ seconds: 2n * PERIOD })
await wallet.issue((common) =>
  pvm.newSetAutoRenewedValidatorConfigTx(
    { ...common, validatorTxId, auth: [0], autoCompoundRewardShares: 500_000, period: 0n },
    wallet.context,
  ),
)
await devnet.dev.advanceTime({ seconds: PERIOD })
const { rewards } = await devnet.rpc("platform.getRewardsByAddress", { address: alice.address })
const paid = rewards.reduce((sum, each) => sum + each.amount, 0n)
console.log(`${rewards.length} rewards were paid, together what was estimated: ${paid === reward}`)

const before = await rich.getBalance({ address: to })
const { received } = await devnet.transfer({ from: "P", to: "C", amount: amount + paid, privateKey })
const arrived = (await rich.getBalance({ address: to })) - before
console.log(`${formatEther(arrived).slice(0, 6)} AVAX are on the C-Chain again: ${arrived === received * 1_000_000_000n}`)

await devnet.stop()
