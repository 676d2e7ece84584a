// Stakes once, and lets the validator renew itself every two weeks until a transaction ends it.
//
//   node examples/renew-automatically.js
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { AVAX, bytesOf, openWallet } from "./wallet.js"

const DAY = 24n * 60n * 60n
const PERIOD = 14n * DAY

// With a fixed start time the output is the same on any day.
const devnet = await startDevnet({ accounts: 1, startTime: 1_900_000_000n })
const [alice] = devnet.accounts
const wallet = await openWallet(devnet.url, alice.privateKey)
const node = await devnet.dev.newIdentity()

// One transaction is enough for all cycles. At the end of each cycle, 70 % of the rewards are paid and 30 % are added to the stake.
const validatorTxId = await wallet.issue((common) =>
  pvm.newAddAutoRenewedValidatorTx(
    {
      ...common,
      nodeId: node.nodeID,
      publicKey: bytesOf(node.publicKey),
      signature: bytesOf(node.proofOfPossession),
      weight: 2_000n * AVAX,
      shares: 20_000, // the share of the delegators' rewards, in millionths: 2 %
      rewardAddresses: [wallet.bytes],
      delegatorRewardsOwner: [wallet.bytes],
      ownerAddresses: [wallet.bytes], // the owner who may change the two values below
      period: PERIOD,
      autoCompoundRewardShares: 300_000,
    },
    wallet.context,
  ),
)

// In half a year thirteen cycles end, each with a block that pays, restakes and begins the next cycle.
const { rewarded } = await devnet.dev.advanceTime({ seconds: String(13n * PERIOD) })
const [validator] = (await wallet.platform.getCurrentValidators({ nodeIDs: [node.nodeID] })).validators
console.log(`${rewarded} cycles later ${node.nodeID} weighs ${validator.weight} nAVAX`)

// With a period of zero the validator leaves at the end of the current cycle.
await wallet.issue((common) =>
  pvm.newSetAutoRenewedValidatorConfigTx(
    { ...common, validatorTxId, auth: [0], autoCompoundRewardShares: 0, period: 0n },
    wallet.context,
  ),
)
await devnet.dev.advanceTime({ seconds: String(PERIOD) })
const { validators } = await wallet.platform.getCurrentValidators({ nodeIDs: [node.nodeID] })
console.log(`${validators.length} validators are left on that node`)

// Each cycle paid a reward; the last payment includes all restaked rewards.
const { rewards } = await devnet.rpc("platform.getRewardsByAddress", { address: alice.address })
const total = rewards.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
console.log(`${rewards.length} rewards were paid, together ${total} nAVAX`)

await devnet.stop()
