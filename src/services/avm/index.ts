import { getAssetDescription } from "./getAssetDescription.js"
import { getHeight } from "./getHeight.js"
import { getTxFee } from "./getTxFee.js"
import { getUTXOs } from "./getUTXOs.js"

/** X-Chain methods that wallets call before they build a P-Chain transaction. */
export const avmMethods = [getAssetDescription, getTxFee, getHeight, getUTXOs] as const
