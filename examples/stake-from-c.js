// Brings AVAX from the C-Chain to the P-Chain, delegates it for two weeks, and takes stake and reward back.
//
//   SERAC_PLUGINS=DIR node examples/stake-from-c.js
//
// DIR has a plugin of coreth, the VM of the C-Chain (docs/c-chain.md).
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { AVAX, openWallet, PRIMARY_NETWORK } from "./wallet.js"

const TWO_WEEKS = 14n * 24n * 60n * 60n

const devnet = await startDevnet({ pluginDir: process.env.SERAC_PLUGINS ?? "plugins", cChain: true, accounts: 1 })
const [alice] = devnet.accounts
const { privateKey } = alice
const wallet = await openWallet(devnet.url, privateKey)
const [nodeId] = (await devnet.dev.addValidators({ count: 1 })).nodeIDs
const shown = (/** @type {bigint} */ amount) => `${(Number(amount) / Number(AVAX)).toFixed(1)} AVAX`

// An export on the C-Chain and an import on the P-Chain. The fee of the import is taken from the amount.
const { received } = await devnet.transfer({ from: "C", to: "P", amount: 50n * AVAX, privateKey })
console.log(`${shown(received)} came from the C-Chain`)

const before = await wallet.balance()
await wallet.issue((common) =>
  pvm.newAddPermissionlessDelegatorTx(
    {
      ...common,
      nodeId,
      subnetId: PRIMARY_NETWORK,
      start: 0n, // since Durango a stake begins with its block
      end: devnet.now() + TWO_WEEKS,
      weight: 40n * AVAX,
      rewardAddresses: [wallet.bytes],
    },
    wallet.context,
  ),
)
await devnet.dev.advanceTime({ seconds: String(TWO_WEEKS + 60n) })
const reward = (await wallet.balance()) - before
console.log(`two weeks later ${shown(reward)} were earned with 40.0 AVAX`)

const back = await devnet.transfer({ from: "P", to: "C", amount: 40n * AVAX + reward, privateKey })
console.log(`${shown(back.received)} are on the C-Chain again`)

await devnet.stop()
