// Owns outputs that are locked until a time: one that cannot be spent before, and one that can be staked before.
//
//   node examples/locked-outputs.js
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { AVAX, openWallet, PRIMARY_NETWORK } from "./wallet.js"

const DAY = 24n * 60n * 60n

const devnet = await startDevnet({ accounts: 1, balance: AVAX })
const [{ address, privateKey }] = devnet.accounts
const wallet = await openWallet(devnet.url, privateKey)
const [nodeId] = (await devnet.dev.addValidators({ count: 1 })).nodeIDs

const locked = devnet.now() + 30n * DAY
await devnet.dev.fund({ address, amount: 40n * AVAX, locktime: locked })
await devnet.dev.fund({ address, amount: 60n * AVAX, stakeableLocktime: locked })

/** Prints what the address may spend, may stake, and may not touch. */
async function show(/** @type {string} */ when) {
  const { unlocked, lockedStakeable, lockedNotStakeable } = await wallet.platform.getBalance({ addresses: [address] })
  const [spendable, stakeable, untouchable] = [unlocked, lockedStakeable, lockedNotStakeable].map((amount) => amount / AVAX)
  console.log(`${when}: ${spendable} AVAX to spend, ${stakeable} to stake, ${untouchable} locked`)
}
await show("at first")

// avalanchejs takes the stake from what is locked for staking, and the fee from what is not locked.
await wallet.issue((common) =>
  pvm.newAddPermissionlessDelegatorTx(
    {
      ...common,
      nodeId,
      subnetId: PRIMARY_NETWORK,
      start: 0n,
      end: devnet.now() + 14n * DAY,
      weight: 60n * AVAX,
      rewardAddresses: [wallet.bytes],
    },
    wallet.context,
  ),
)
await show("while it is staked")

// The stake comes back as it was, locked. The reward is not locked.
await devnet.dev.advanceTime({ seconds: 15n * DAY, settle: true })
await show("when the stake has ended")

// avalanchejs compares locktimes with the clock of this machine unless it is given the chain's: `minIssuanceTime: devnet.now()`.
await devnet.dev.advanceTime({ seconds: 16n * DAY, settle: true })
await show("when the lock has ended")

await devnet.stop()
