// The dapp: offers validators to delegate to, and shows what a delegation earns. It knows a URL and nothing of Serac.
import { pvm, utils } from "@avalabs/avalanchejs"

/** @param {string} url */
export function createStakingDapp(url) {
  const platform = new pvm.PVMApi(url)

  return {
    /** Validators that a delegation of so many seconds fits under, the cheapest first. `now` is the chain's time, Unix seconds. */
    async offers(seconds, now) {
      const { validators } = await platform.getCurrentValidators()
      return validators
        .filter(({ endTime, connected }) => connected && BigInt(endTime) >= now + seconds)
        .sort((a, b) => Number(a.delegationFee) - Number(b.delegationFee))
        .map(({ nodeID, delegationFee, endTime }) => ({ nodeID, fee: `${delegationFee} %`, until: BigInt(endTime) }))
    },

    /** What a delegation has come to: it is staked, or it earned so much, or its validator was offline too long. */
    async outcome(txID, nodeID) {
      const { validators } = await platform.getCurrentValidators({ nodeIDs: [nodeID] })
      if (validators.some(({ delegators }) => delegators?.some((each) => each.txID === txID))) return "staked"
      const { utxos } = await platform.getRewardUTXOs({ txID })
      return utxos.length > 0
        ? utxos.reduce((sum, { output }) => sum + (utils.isTransferOut(output) ? output.amount() : 0n), 0n)
        : "unrewarded"
    },
  }
}
