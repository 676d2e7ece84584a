import { getAllBalances } from "./getAllBalances.js"
import { getAssetDescription } from "./getAssetDescription.js"
import { getBalance } from "./getBalance.js"
import { getHeight } from "./getHeight.js"
import { getTxFee } from "./getTxFee.js"
import { getUTXOs } from "./getUTXOs.js"

/** X-Chain methods that wallets call before they build a P-Chain transaction. */
export const avmMethods = [getAssetDescription, getTxFee, getHeight, getUTXOs, getBalance, getAllBalances] as const
