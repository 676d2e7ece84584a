// Stakes once, and lets the validator renew itself every two weeks until it is told to stop.
//
//   node examples/renew-automatically.js
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { AVAX, bytesOf, openWallet } from "./wallet.js"

const DAY = 24n * 60n * 60n
const PERIOD = 14n * DAY

// From a given time on: what is printed is the same on any day.
const devnet = await startDevnet({ accounts: 1, startTime: 1_900_000_000n })
const [, , alice] = devnet.keys // behind the local network's own two
const wallet = await openWallet(devnet.url, alice.privateKey)
const node = await devnet.dev.newIdentity()

// One transaction for all cycles. At the end of each, 70 % of the rewards are paid and 30 % are added to the stake.
const validatorTxId = await wallet.issue((common) =>
  pvm.newAddAutoRenewedValidatorTx(
    {
      ...common,
      nodeId: node.nodeID,
      publicKey: bytesOf(node.publicKey),
      signature: bytesOf(node.proofOfPossession),
      weight: 2_000n * AVAX,
      shares: 20_000, // 2 % of what delegators earn, in millionths
      rewardAddresses: [wallet.bytes],
      delegatorRewardsOwner: [wallet.bytes],
      ownerAddresses: [wallet.bytes], // who may change the two numbers below
      period: PERIOD,
      autoCompoundRewardShares: 300_000,
    },
    wallet.context,
  ),
)

// Half a year: thirteen cycles end, each with a block that pays, restakes and begins the next.
const { rewarded } = await devnet.dev.advanceTime({ seconds: String(13n * PERIOD) })
const [validator] = (await wallet.platform.getCurrentValidators({ nodeIDs: [node.nodeID] })).validators
console.log(`${rewarded} cycles later ${node.nodeID} weighs ${validator.weight} nAVAX`)

// A period of zero: the validator leaves at the end of the present cycle.
await wallet.issue((common) =>
  pvm.newSetAutoRenewedValidatorConfigTx(
    { ...common, validatorTxId, auth: [0], autoCompoundRewardShares: 0, period: 0n },
    wallet.context,
  ),
)
await devnet.dev.advanceTime({ seconds: String(PERIOD) })
const { validators } = await wallet.platform.getCurrentValidators({ nodeIDs: [node.nodeID] })
console.log(`${validators.length} validators are left on that node`)

// What was paid, cycle by cycle; the last one with all that had been restaked.
const { rewards } = await devnet.rpc("platform.getRewardsByAddress", { address: alice.address })
const total = rewards.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
console.log(`${rewards.length} rewards were paid, together ${total} nAVAX`)

await devnet.stop()
