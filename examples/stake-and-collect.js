// Stakes on a node, travels a year, collects the reward.
//
//   node examples/stake-and-collect.js
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { AVAX, bytesOf, openWallet, PRIMARY_NETWORK } from "./wallet.js"

const YEAR = 365n * 24n * 60n * 60n

const devnet = await startDevnet({ accounts: 1 })
const [, , alice] = devnet.keys // behind the local network's own two
const wallet = await openWallet(devnet.url, alice.privateKey)

// The keys of a node that does not exist. Serac counts every validator as online, unless `dev.setUptime` says otherwise.
const node = await devnet.dev.newIdentity()

const before = await wallet.balance()
const txID = await wallet.issue((common) =>
  pvm.newAddPermissionlessValidatorTx(
    {
      ...common,
      nodeId: node.nodeID,
      subnetId: PRIMARY_NETWORK,
      start: 0n, // it starts with the block
      // Times come from the chain's own clock: after time travel it is not this machine's.
      end: devnet.now() + YEAR,
      weight: 2_000n * AVAX,
      shares: 20_000, // 2 % of what delegators earn, in millionths
      publicKey: bytesOf(node.publicKey),
      signature: bytesOf(node.proofOfPossession),
      rewardAddresses: [wallet.bytes],
      delegatorRewardsOwner: [wallet.bytes],
    },
    wallet.context,
  ),
)
const [validator] = (await wallet.platform.getCurrentValidators({ nodeIDs: [node.nodeID] })).validators
console.log(`${node.nodeID} validates, and may earn ${validator.potentialReward} nAVAX`)

// A year goes by in an instant. Whatever falls due on the way gets its block: rewards, stakers that come and go, L1 fees.
// (Six are rewarded: the local network's own five validators end within the year too, and stake again.)
const { blocks, rewarded } = await devnet.dev.advanceTime({ seconds: String(YEAR) })
console.log(`${blocks} blocks later ${rewarded} stakers have been rewarded`)

const [reward] = (await wallet.platform.getRewardUTXOs({ txID })).utxos
const gained = (await wallet.balance()) - before
console.log(`${reward.utxoId.ID()} is the reward; the balance is ${gained} nAVAX above what it was`)

await devnet.stop()
