// Stakes on a node, moves the clock by a year, and collects the reward.
//
//   node examples/stake-and-collect.js
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { AVAX, bytesOf, openWallet, PRIMARY_NETWORK } from "./wallet.js"

const YEAR = 365n * 24n * 60n * 60n

const devnet = await startDevnet({ accounts: 1 })
const [alice] = devnet.accounts
const wallet = await openWallet(devnet.url, alice.privateKey)

// Make the keys of a node that does not run. Serac counts every validator as online unless `dev.setUptime` changes that.
const node = await devnet.dev.newIdentity()

const before = await wallet.balance()
const txID = await wallet.issue((common) =>
  pvm.newAddPermissionlessValidatorTx(
    {
      ...common,
      nodeId: node.nodeID,
      subnetId: PRIMARY_NETWORK,
      start: 0n, // since Durango a stake begins with its block
      // Use the clock of the chain, which differs from the machine's after `dev.advanceTime`.
      end: devnet.now() + YEAR,
      weight: 2_000n * AVAX,
      shares: 20_000, // the share of the delegators' rewards, in millionths: 2 %
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

// Move the clock by a year. The node makes a block for everything that is due in this time: rewards, stakers that start and end, L1 fees.
// Six stakers are rewarded, because the five validators of the local network also end within the year, and stake again.
const { blocks, rewarded } = await devnet.dev.advanceTime({ seconds: String(YEAR) })
console.log(`${blocks} blocks later ${rewarded} stakers have been rewarded`)

const [reward] = (await wallet.platform.getRewardUTXOs({ txID })).utxos
const gained = (await wallet.balance()) - before
console.log(`${reward.utxoId.ID()} is the reward; the balance is ${gained} nAVAX above what it was`)

await devnet.stop()
