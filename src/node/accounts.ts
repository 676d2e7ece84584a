import { ewoq, vmRQ } from "../core/genesis/testKeys.js"
import { doNow } from "../core/lib/work.js"
import { hrpOf } from "../core/networks/names.js"
import { balancesOf } from "../core/readmodel/balances.js"
import { allUtxos } from "../core/readmodel/utxos.js"
import type { View } from "../core/state/view.js"
import { type Address, addressText } from "../core/types/address.js"
import type { ID } from "../core/types/id.js"
import { privateKeyText } from "../core/types/privateKey.js"
import { type AccountOptions, accountsOf } from "../producer/keys/accounts.js"
import type { Node } from "./node.js"

/** A key that everybody has. */
export interface Account {
  readonly privateKey: string
  readonly address: string
  /** nAVAX that it owns, locked or not. */
  readonly balance: bigint
}

/** The keys of a private chain: the local network's two, and those that were asked for. */
export function accountsOn({ data, api }: Node, options: AccountOptions | undefined): readonly Account[] {
  const { networkID, avaxAssetID } = data.rules
  const more = options ? accountsOf(options).map(({ secret, address }) => ({ privateKey: privateKeyText(secret), address })) : []
  const opened = api.contexts.open()
  try {
    return [ewoq, vmRQ, ...more].map(({ privateKey, address }) => ({
      privateKey,
      address: addressText(address, hrpOf(networkID)),
      balance: ownedBy(opened.context.view, address, avaxAssetID),
    }))
  } finally {
    opened.release()
  }
}

function ownedBy(view: View, address: Address, assetID: ID): bigint {
  return balancesOf(doNow(allUtxos(view, [address])), 0n).total.get(assetID) ?? 0n
}
